#!/bin/sh
# Makes the database of the service and its login, which may do nothing but work there: docs/guides/operating.md.
# PostgreSQL's image runs this once, when its volume is empty.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/service_password)" --username=postgres <<'SQL'
create role service login password :'password';
create database service encoding 'UTF8' template template0;
\connect service
create role svc_owner nologin;
create role svc_writer nologin;
create role svc_reader nologin;
grant svc_owner, svc_writer, svc_reader to service;
create extension if not exists pg_trgm schema public;
create schema svc authorization svc_owner;
create schema svc_jobs authorization svc_owner;
SQL
