import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { patientPage } from '../support/patientPage.ts';
import { developmentScript, startBrowser } from './browser.ts';
import type { Editor } from './chooseEditor.ts';
import { resultsFolder, root } from './places.ts';
import { quietSettings } from './quietSettings.ts';
import { startWebServer } from './webServer.ts';
import { makeWorkspace } from './workspace.ts';

/** One run of the bundled in-editor tests. */
export interface EditorJob {
	/** Reaches the extension host. */
	readonly env: Readonly<Record<string, string>>;
	readonly limitMs: number;
}

const tests = join(root, 'dist/test/run.cjs');

async function runInDesktop(executable: string, folder: string, { env }: EditorJob): Promise<boolean> {
	// A short path, because the editor puts a socket in it.
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
		// It rejects when a test fails, too.
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
			// The workbench itself calls this function, if its window has one, when the tests' extension host ends.
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

/** Runs the in-editor tests. True only says that the editor ended well: what the tests said is in their report. */
export async function runInEditor(editor: Editor, job: EditorJob): Promise<boolean> {
	const workspace = makeWorkspace();
	try {
		return editor.kind === 'desktop'
			? await runInDesktop(editor.executable, workspace.folder, job)
			: await runInWeb(workspace.folder, job);
	} finally {
		workspace.remove();
	}
}
