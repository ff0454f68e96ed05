import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from './places.ts';
import { PlainProblem } from './plainProblem.ts';
import { spdlogStandIn, watchdogStandIn } from './standIns.ts';

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

/** What code-server's own install script does, less the compiling, which nothing here needs. */
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

/** What starts the web-served editor. */
export interface CodeServer {
	readonly script: string;
	/** Folder of the editor within it, with the extensions that it brings. */
	readonly editor: string;
}

/** The web-served editor, fetched from npm on the way where it is missing. */
export function ensureCodeServer(): CodeServer {
	const home = join(toolsFolder, `code-server-${codeServerVersion}`);
	if (!existsSync(home)) {
		console.log(`Installing code-server ${codeServerVersion} from npm (once, about half a minute)`);
		// Built beside and moved, so that an interrupted install never looks whole.
		const unfinished = `${home}.${process.pid}`;
		try {
			install(unfinished);
			// Another process may have been quicker.
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
