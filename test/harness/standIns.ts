/**
 * Two modules of the web-served editor are native and stay uncompiled here. Without these stand-ins everything works
 * too, but every start fills the console with load errors and no log file is written.
 */
export const spdlogStandIn = `'use strict';
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');
const names = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
function createLogger(file) {
	let lowest = 2;
	let plain = false;
	mkdirSync(dirname(file), { recursive: true });
	const logger = {
		getLevel: () => lowest,
		setLevel(level) { lowest = level; },
		setPattern() {},
		clearFormatters() { plain = true; },
		flush() {},
		drop() {},
	};
	names.forEach((name, level) => {
		logger[name] = (text) => {
			if (level >= lowest) {
				appendFileSync(file, plain ? text : new Date().toISOString() + ' [' + name + '] ' + text + '\\n');
			}
		};
	});
	return logger;
}
exports.version = 0;
exports.Logger = function Logger(kind, name, file) { return createLogger(file); };
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.createRotatingLogger = async (name, file) => createLogger(file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
`;

export const watchdogStandIn = `exports.start = () => undefined;\n`;
