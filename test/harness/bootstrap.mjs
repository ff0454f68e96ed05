// Starts every command, also in a fresh clone with any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const NODE_VERSION = '24.21.0';
const root = join(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), '../..');

/** @param {string} sentence @returns {never} */
function giveUp(sentence) {
	console.error(sentence);
	process.exit(1);
}

/** Prefers the npm that runs this command. @param {string} folder @param {...string} args */
function npm(folder, ...args) {
	const own = process.env.npm_execpath;
	const [program, first] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []];
	const shell = process.platform === 'win32' && program === 'npm';
	const all = [...first, ...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const { status } = spawnSync(program, all, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell });
	if (status !== 0) {
		giveUp(
			`npm ${args.join(' ')} failed in ${folder}: run it by hand to see why (the npm registry has to be reachable).`,
		);
	}
}

/** @param {string} file @returns {Record<string, {version?: string, optional?: boolean}>} */
function packagesIn(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** npm writes node_modules/.package-lock.json as the last step, so this detects an interrupted install. */
function packagesAreInstalled() {
	const installed = packagesIn(join(root, 'node_modules/.package-lock.json'));
	return Object.entries(packagesIn(join(root, 'package-lock.json')))
		.filter(([path, { optional }]) => path !== '' && !optional)
		.every(([path, { version }]) => installed[path]?.version === version);
}

/** The path of a Node with the editor's major version; installs one if needed. */
function ensureNode() {
	if (process.versions.node.startsWith(`${NODE_VERSION.split('.')[0]}.`)) {
		return process.execPath;
	}
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const name = `node-${platform}-${process.arch}`;
	const folder = join(root, '.vscode-test', `node-${NODE_VERSION}`);
	const binary = join(folder, 'node_modules', name, 'bin', platform === 'win' ? 'node.exe' : 'node');
	if (!existsSync(binary)) {
		console.log(`Installing Node ${NODE_VERSION} from npm (once)`);
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			join(folder, 'package.json'),
			JSON.stringify({ private: true, dependencies: { [name]: NODE_VERSION } }),
		);
		npm(folder, 'install', '--no-package-lock');
	}
	return binary;
}

if (Number(process.versions.node.split('.')[0]) < 20) {
	giveUp(`Node ${process.versions.node} is too old: install Node 20 or newer.`);
}
if (!packagesAreInstalled()) {
	console.log('Installing the packages of package-lock.json');
	npm(root, 'install', '--no-save');
}
const node = ensureNode();
const path = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
const child = spawn(node, [join(root, 'test/harness/main.ts'), ...process.argv.slice(2)], {
	cwd: root,
	stdio: 'inherit',
	env: { ...process.env, PATH: path },
});
// Waits for the child to clean up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => child.kill(signal));
}
// On a signal, the shell between npm and this process ends silently: the parent changes.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)));
