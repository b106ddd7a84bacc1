#!/usr/bin/env node
'use strict'
void require('../../../scripts/bootstrap.cjs').main(['wbs', ...process.argv.slice(2)])
