import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitMs } from '../support/pace.ts';
import { ensureCodeServer, linkExtensions } from './codeServer.ts';
import { writeNeighbours } from './neighbours.ts';
import { quietSettings, stillSettings } from './quietSettings.ts';

export interface WebServerOptions {
	/** User settings on top of the quiet ones. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** For every extension host. */
	readonly env?: Readonly<Record<string, string>>;
	/** A packaged extension to install before the start. */
	readonly vsix?: string;
	/** `small`: few of its own extensions, and no animations. Default: `whole`. */
	readonly editor?: 'small' | 'whole';
	/** Adds an extension with comments, which does nothing without `neighboursIn`. */
	readonly withNeighbours?: boolean;
	/** Output goes to `<path>.log`, the editor's own logs to the folder `<path>-logs`. */
	readonly logPath: string;
}

/** A running web-served editor with its own home. */
export interface WebServer {
	/** Host and port, as in `127.0.0.1:4000`. */
	readonly authority: string;
	/** Root of its process tree. */
	readonly pid: number;
	readonly dataFolder: string;
	/** Replaces `settings`; a window reads them on load. */
	setSettings(settings: Readonly<Record<string, unknown>>): void;
	/** Replaces variables of extension hosts of later windows, in addition to `env`. */
	setHostEnv(env: Readonly<Record<string, string>>): void;
	/** Deletes the user's data but the settings: storage of extensions, workspaces, history. No window may be open. */
	forgetUser(): void;
	stop(): Promise<void>;
}

const startLimitMs = 60_000;

function killGroup(child: ChildProcess): void {
	try {
		if (child.pid !== undefined) {
			process.kill(-child.pid, 'SIGKILL');
		}
	} catch {
		// It has ended.
	}
}

function listeningPort(server: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		let text = '';
		const fail = (why: string): void => reject(new Error(`The editor's server ${why}:\n${text}`));
		const timer = setTimeout(fail, limitMs(startLimitMs), 'did not start');
		const read = (chunk: Buffer): void => {
			text = (text + chunk.toString()).slice(-20_000);
			const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
			if (port !== undefined) {
				clearTimeout(timer);
				resolve(port);
			}
		};
		server.stdout?.on('data', read);
		server.stderr?.on('data', read);
		server.once('error', reject);
		server.once('exit', (code) => fail(`ended with ${code}`));
	});
}

function writeSettings(home: string, settings: Readonly<Record<string, unknown>>): void {
	const folder = join(home, 'data/User');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings, undefined, '\t'));
	// Settings of this computer that commands have written.
	rmSync(join(home, 'data/Machine/settings.json'), { force: true });
}

/**
 * Preloaded into every process of a server. Windows of one server share its environment, so variables for extension hosts of
 * the next window come from a file.
 */
const hostEnvScript = `if (process.argv.includes('--type=extensionHost')) {
	Object.assign(process.env, JSON.parse(require('node:fs').readFileSync(__dirname + '/hostEnv.json', 'utf8')));
}
`;

function writeHostEnv(home: string, env: Readonly<Record<string, string>>): void {
	writeFileSync(join(home, 'hostEnv.json'), JSON.stringify(env));
}

/** Starts the web-served editor on a free port of this machine. */
export async function startWebServer({
	settings = {},
	env = {},
	vsix,
	editor: size = 'whole',
	withNeighbours = false,
	logPath,
}: WebServerOptions): Promise<WebServer> {
	const { script, editor } = ensureCodeServer();
	const home = mkdtempSync(join(tmpdir(), 'forge-desk-editor-'));
	const log = createWriteStream(`${logPath}.log`);
	const setSettings = (changed: Readonly<Record<string, unknown>>): void =>
		writeSettings(home, { ...quietSettings, ...(size === 'small' ? stillSettings : {}), ...changed });
	setSettings(settings);
	writeHostEnv(home, {});
	const preload = join(home, 'hostEnv.cjs');
	writeFileSync(preload, hostEnvScript);
	const ownExtensions = join(home, 'ownExtensions');
	const hasOwn = size === 'small' || withNeighbours;
	if (hasOwn) {
		linkExtensions(editor, ownExtensions, size);
	}
	if (withNeighbours) {
		writeNeighbours(ownExtensions);
	}
	const start = (...args: readonly string[]): ChildProcess => {
		const places = ['--config', 'config.yaml', '--user-data-dir', 'data', '--extensions-dir', 'extensions'].map(
			(word) => (word.startsWith('--') ? word : join(home, word)),
		);
		const child = spawn(process.execPath, ['--require', preload, script, ...places, ...args], {
			detached: true, // A process group with the extension hosts.
			stdio: ['ignore', 'pipe', 'pipe'],
			// An empty proxy address leaves loopback links as they are, as on a desktop.
			env: { ...process.env, XDG_DATA_HOME: join(home, 'share'), VSCODE_PROXY_URI: '', ...env },
		});
		child.stdout?.pipe(log, { end: false });
		child.stderr?.pipe(log, { end: false });
		return child;
	};
	let current: ChildProcess | undefined;
	const cleanUp = (): void => {
		if (current !== undefined) {
			killGroup(current);
		}
		if (existsSync(join(home, 'data/logs'))) {
			rmSync(`${logPath}-logs`, { recursive: true, force: true });
			cpSync(join(home, 'data/logs'), `${logPath}-logs`, { recursive: true });
		}
		rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	};
	process.once('exit', cleanUp);
	if (vsix !== undefined) {
		const install = start('--install-extension', vsix);
		current = install;
		const code = await new Promise((resolve) => install.once('close', resolve));
		if (code !== 0) {
			throw new Error(`Installing ${vsix} ended with ${String(code)}, see ${logPath}.log`);
		}
	}
	const quiet = ['telemetry', 'update-check', 'workspace-trust', 'getting-started-override'].map(
		(it) => `--disable-${it}`,
	);
	const own = hasOwn ? ['--builtin-extensions-dir', ownExtensions] : [];
	const server = start('--auth', 'none', '--bind-addr', '127.0.0.1:0', '--ignore-last-opened', ...quiet, ...own);
	current = server;
	const ended = new Promise((resolve) => server.once('exit', resolve));
	const port = await listeningPort(server);
	return {
		authority: `127.0.0.1:${port}`,
		pid: server.pid ?? 0,
		dataFolder: join(home, 'data'),
		setSettings,
		setHostEnv: (changed) => writeHostEnv(home, changed),
		forgetUser() {
			for (const name of ['globalStorage', 'workspaceStorage', 'History', 'caches', 'profiles', 'sync']) {
				rmSync(join(home, 'data/User', name), { recursive: true, force: true, maxRetries: 5 });
			}
		},
		async stop() {
			process.off('exit', cleanUp);
			killGroup(server);
			await ended;
			cleanUp();
			log.end();
		},
	};
}
