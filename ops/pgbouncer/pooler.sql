-- The login with which PgBouncer connects: by itself it reaches nothing, and it may take the two roles of requests. Run it
-- in the database of the service as a superuser, after the first start of a node, and give the login a password.
create role wbs_pooler login noinherit;
grant svc_reader, svc_writer to wbs_pooler;
