// A process that runs the tests in the extension host: editorProcess.ts LIMIT_MS DIALECT… (field runs first)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { certificateAuthority } from '../support/certificateAuthority.ts';
import { patientPage } from '../support/patientPage.ts';
import { sampleForgeProgram } from '../support/sampleForge.ts';
import { developmentScript, startBrowser } from './browser.ts';
import { resultsFolder, root } from './places.ts';
import { PlainProblem, shownProblem } from './plainProblem.ts';
import { quietSettings } from './quietSettings.ts';
import { readyForge } from './sampleForgeProcess.ts';
import { startWebServer } from './webServer.ts';
import { makeWorkspace } from './workspace.ts';

type Editor =
	| { readonly kind: 'desktop'; readonly executable: string; readonly why: string }
	| { readonly kind: 'web'; readonly why: string };

/**
 * `EDITOR_KIND` is `desktop` or `web`, `VSCODE_PATH` an installed VS Code, `VSCODE_VERSION` one to download. The
 * default is the desktop if a download and a display exist.
 */
async function chooseEditor(env: NodeJS.ProcessEnv): Promise<Editor> {
	const kind = env['EDITOR_KIND'];
	const path = env['VSCODE_PATH'];
	const download = async (why: string): Promise<Editor> => {
		const executable = await downloadAndUnzipVSCode({ version: env['VSCODE_VERSION'] ?? 'stable' });
		return { kind: 'desktop', executable, why };
	};
	if (kind === 'web') {
		return { kind: 'web', why: 'EDITOR_KIND=web' };
	}
	if (path !== undefined) {
		if (!existsSync(path)) {
			throw new PlainProblem(`VSCODE_PATH names nothing: ${path}`);
		}
		return { kind: 'desktop', executable: path, why: 'VSCODE_PATH' };
	}
	if (kind === 'desktop') {
		return download('EDITOR_KIND=desktop');
	}
	if (process.platform === 'linux' && env['DISPLAY'] === undefined && env['WAYLAND_DISPLAY'] === undefined) {
		return { kind: 'web', why: 'there is no display' };
	}
	try {
		await fetch('https://update.code.visualstudio.com/api/releases/stable', { signal: AbortSignal.timeout(5_000) });
	} catch {
		return { kind: 'web', why: 'VS Code cannot be downloaded here' };
	}
	return download('VS Code can be downloaded');
}

interface EditorJob {
	/** Reaches the extension host. */
	readonly env: Readonly<Record<string, string>>;
	readonly limitMs: number;
}

const tests = join(root, 'dist/test/run.cjs');

async function runInDesktop(executable: string, folder: string, { env }: EditorJob): Promise<boolean> {
	// A short path: the editor puts a socket in it.
	const home = mkdtempSync(join(tmpdir(), 'editor-'));
	mkdirSync(join(home, 'User'));
	writeFileSync(join(home, 'User/settings.json'), JSON.stringify(quietSettings));
	try {
		await runTests({
			vscodeExecutablePath: executable,
			extensionDevelopmentPath: root,
			extensionTestsPath: tests,
			extensionTestsEnv: env,
			launchArgs: [folder, `--user-data-dir=${home}`, '--disable-extensions', '--disable-telemetry'],
		});
		return true;
	} catch (error) {
		// Also when a test failed.
		console.error(String(error));
		return false;
	} finally {
		rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function runInWeb(folder: string, { env, limitMs }: EditorJob): Promise<boolean> {
	const logPath = join(resultsFolder, 'extension-host');
	const server = await startWebServer({ env, editor: 'small', logPath });
	const browser = await startBrowser();
	const log = createWriteStream(`${logPath}-console.log`);
	try {
		const page = await patientPage(await browser.newContext());
		page.on('console', (message) => log.write(`${message.type()} ${message.text()}\n`));
		await page.addInitScript({ content: developmentScript(server.authority, { extensions: [root], tests }) });
		const ended = Promise.withResolvers<boolean>();
		page.once('crash', () => ended.reject(new Error("the editor's page crashed")));
		const timer = setTimeout(() => ended.reject(new Error(`no end after ${limitMs / 1000} s`)), limitMs);
		try {
			// The workbench calls this function, if there is one, when the tests' extension host ends.
			await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code === 0));
			const answer = await page.goto(`http://${server.authority}/?folder=${encodeURIComponent(folder)}`);
			if (answer?.ok() !== true) {
				throw new Error(`the editor's server answered ${answer?.status() ?? 'nothing'}`);
			}
			return await ended.promise;
		} catch (error) {
			await page.screenshot({ path: `${logPath}.png` }).catch(() => undefined);
			throw error;
		} finally {
			clearTimeout(timer);
		}
	} finally {
		await browser.close();
		await server.stop();
		log.end();
	}
}

/** An authority that Node.js trusts, and the address of a proxy that the tests start. A host reads both once, at its start. */
async function proxySurroundings(folder: string): Promise<Readonly<Record<string, string>>> {
	const authority = certificateAuthority('Forge Desk tests');
	const path = join(folder, 'authority.pem');
	writeFileSync(path, authority.certificate);
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	server.close();
	await once(server, 'close');
	return {
		NODE_EXTRA_CA_CERTS: path,
		https_proxy: `http://127.0.0.1:${port}`,
		FORGE_DESK_PROXY: JSON.stringify({ port, ...authority.issue('forge.test') }),
	};
}

/** Runs the in-editor tests. True: the editor ended well; their results are in the report. */
async function runInEditor(editor: Editor, job: EditorJob): Promise<boolean> {
	const workspace = makeWorkspace();
	const own = mkdtempSync(join(tmpdir(), 'editor-authority-'));
	try {
		const env = { ...job.env, ...(await proxySurroundings(own)) };
		return editor.kind === 'desktop'
			? await runInDesktop(editor.executable, workspace.folder, { ...job, env })
			: await runInWeb(workspace.folder, { ...job, env });
	} finally {
		workspace.remove();
		rmSync(own, { recursive: true, force: true });
	}
}

/** Runs `work` with the ready line of a steered sample forge. */
async function withForge<T>(dialect: string, work: (line: string) => Promise<T>): Promise<T> {
	const cache = join(resultsFolder, 'sample-forge-cache');
	const child = spawn(process.execPath, [sampleForgeProgram, '--dialect', dialect, '--cache', cache]);
	const closed = once(child, 'close');
	try {
		return await work((await readyForge(child)).line);
	} finally {
		child.stdin.end();
		await closed;
	}
}

/** An editor inherits only these variables. */
function testVariables(): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) =>
			name.startsWith('FORGE_DESK_') && value !== undefined ? [[name, value]] : [],
		),
	);
}

// Exit handlers end the editor and its server.
process.once('SIGTERM', () => process.exit(143));
const [, , limitMs = '', ...dialects] = process.argv;
try {
	const editor = await chooseEditor(process.env);
	console.log(`the extension host is that of a ${editor.kind} editor, because ${editor.why}`);
	const run = (more: Readonly<Record<string, string>>): Promise<boolean> =>
		runInEditor(editor, { env: { ...testVariables(), ...more }, limitMs: Number(limitMs) });
	// A host knows one sample forge. The extension's own one has the guest world.
	const runIn = (dialect: string): Promise<boolean> =>
		dialects.includes(dialect)
			? withForge(dialect, (line) => run({ FORGE_DESK_SAMPLE_FORGE: line }))
			: Promise.resolve(true);
	const isFirstGood = await runIn('field');
	const isSecondGood = await runIn('document');
	process.exitCode = isFirstGood && isSecondGood ? 0 : 1;
} catch (error) {
	console.error(shownProblem(error));
	process.exitCode = 1;
}
