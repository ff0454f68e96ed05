import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from './places.ts';
import { PlainProblem } from './plainProblem.ts';

/** code-server 4.139 is VS Code 1.139, whose server wants the Node that the commands run on. */
export const codeServerVersion = '4.139.1';

function npmInstall(folder: string, ...args: readonly string[]): void {
	const own = process.env['npm_execpath'] ?? '';
	const [program, first] = own.endsWith('.js') ? [process.execPath, [own]] : ['npm', []];
	const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
	const { status } = spawnSync(program, [...first, 'install', ...args, ...quiet], {
		cwd: folder,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	if (status !== 0) {
		throw new PlainProblem(
			`npm install failed in ${folder}: run it by hand to see why (the npm registry has to be reachable).`,
		);
	}
}

/** As code-server's own install script, without compiling. */
function install(home: string): void {
	mkdirSync(home, { recursive: true });
	writeFileSync(
		join(home, 'package.json'),
		JSON.stringify({ private: true, dependencies: { 'code-server': codeServerVersion } }),
	);
	npmInstall(home);
	const editor = join(home, 'node_modules/code-server/lib/vscode');
	npmInstall(editor, '--omit=dev', '--force');
	npmInstall(join(editor, 'extensions'), '--omit=dev');
	writeFileSync(join(editor, 'node_modules/@vscode/spdlog/index.js'), spdlogStandIn);
	writeFileSync(join(editor, 'node_modules/@vscode/native-watchdog/index.js'), watchdogStandIn);
}

interface CodeServer {
	readonly script: string;
	/** Folder of the editor in it, with the editor's own extensions. */
	readonly editor: string;
}

/** The web-served editor, installed from npm where it is missing. */
export function ensureCodeServer(): CodeServer {
	const home = join(toolsFolder, `code-server-${codeServerVersion}`);
	if (!existsSync(home)) {
		console.log(`Installing code-server ${codeServerVersion} from npm (once, about half a minute)`);
		// Moved when complete: an interrupted install leaves nothing at `home`.
		const unfinished = `${home}.${process.pid}`;
		try {
			install(unfinished);
			// Another process may be first.
			if (!existsSync(home)) {
				renameSync(unfinished, home);
			}
		} finally {
			rmSync(unfinished, { recursive: true, force: true });
		}
	}
	const installed = join(home, 'node_modules/code-server');
	return { script: join(installed, 'out/node/entry.js'), editor: join(installed, 'lib/vscode') };
}

/**
 * The editor's own extensions in a test: git, viewers of diffs, Markdown and pictures, the languages of the sample
 * repositories, themes. All others slow every window; `npm run prove` has them.
 */
const keptExtensions = `
	configuration-editing cpp css diff docker git git-base go html ini javascript json log make markdown-basics
	markdown-language-features media-preview merge-conflict python references-view rust search-result shellscript
	theme-defaults theme-seti typescript-basics xml yaml
`;

/**
 * Makes a folder with links to them, or to all, for a server's `--builtin-extensions-dir`; `editor` is the editor's own
 * folder.
 */
export function linkExtensions(editor: string, folder: string, size: 'small' | 'whole'): void {
	mkdirSync(folder, { recursive: true });
	const all = readdirSync(join(editor, 'extensions'), { withFileTypes: true }).filter((each) => each.isDirectory());
	for (const name of size === 'small' ? keptExtensions.trim().split(/\s+/) : all.map((each) => each.name)) {
		const extension = join(editor, 'extensions', name);
		if (!existsSync(extension)) {
			throw new Error(`The editor has no extension ${name}`);
		}
		symlinkSync(extension, join(folder, name), 'junction');
	}
}

/**
 * Stand-ins for two native modules that are not compiled here. Without them every start fills the console with load errors
 * and writes no log file.
 */
const spdlogStandIn = `'use strict';
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');
const names = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
function createLogger(file) {
	let [lowest, plain] = [2, false];
	mkdirSync(dirname(file), { recursive: true });
	const none = () => undefined;
	const logger = { setPattern: none, flush: none, drop: none };
	logger.getLevel = () => lowest;
	logger.setLevel = (level) => { lowest = level; };
	logger.clearFormatters = () => { plain = true; };
	names.forEach((name, level) => {
		const head = () => (plain ? '' : new Date().toISOString() + ' [' + name + '] ');
		logger[name] = (text) => level < lowest || appendFileSync(file, head() + text + (plain ? '' : '\\n'));
	});
	return logger;
}
exports.version = 0;
exports.Logger = function Logger(kind, name, file) { return createLogger(file); };
exports.setLevel = exports.setFlushOn = () => undefined;
exports.createRotatingLogger = exports.createAsyncRotatingLogger = async (name, file) => createLogger(file);
`;

const watchdogStandIn = `exports.start = () => undefined;\n`;
