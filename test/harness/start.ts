import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildPackageWhenNeeded } from './buildPackage.ts';
import { archiveMails } from '../support/archiveMails.ts';
import { startArchive } from '../support/realArchive.ts';
import { sampleForgeProgram } from '../support/sampleForge.ts';
import type { CommandContext } from './commandContext.ts';
import { resultsFolder, root, vsixFile } from './places.ts';
import { quietSettings } from './quietSettings.ts';
import { type ReadyForge, readyForge } from './sampleForgeProcess.ts';
import { seconds } from './stages.ts';
import { startWebServer } from './webServer.ts';
import { makeWorkspace } from './workspace.ts';

/** The extension's defaults, as for a new user. */
const newUser = { 'forge.filters': undefined, 'forge.tickets.show': undefined };

/** No editor of this machine. All other arguments go to the sample forge. */
const webOption = '--web';
/** Also a mail archive, from Debian's public-inbox. */
const archiveOption = '--archive';

async function startForge({ args, children }: CommandContext): Promise<ReadyForge> {
	console.log('Starting the sample forge');
	const cache = join(root, '.vscode-test/sample-world');
	const own = args.filter((arg) => arg !== webOption && arg !== archiveOption);
	const child = children.start(process.execPath, [sampleForgeProgram, '--world', 'guest', '--cache', cache, ...own]);
	const forge = await readyForge(child);
	for (const [area, address] of Object.entries(forge.areas)) {
		console.log(`  ${area.padEnd(5)} ${address}`);
	}
	return forge;
}

/** The `code` of a desktop editor, if there is one and a display. */
function desktopEditor(): string | undefined {
	if (process.platform === 'linux' && !('DISPLAY' in process.env) && !('WAYLAND_DISPLAY' in process.env)) {
		return undefined;
	}
	const named = process.env['VSCODE_PATH'];
	const folders = (process.env['PATH'] ?? '').split(delimiter);
	return named ?? folders.map((folder) => join(folder, 'code')).find((path) => existsSync(path));
}

/** Variables by which the extension finds the sample forge and signs in. */
function connectedTo({ line }: ReadyForge): Readonly<Record<string, string>> {
	return { FORGE_DESK_SAMPLE_FORGE: line, FORGE_DESK_SAMPLE_ACCOUNT: 'alice' };
}

interface EditorOptions {
	readonly env: Readonly<Record<string, string>>;
	readonly settings: Readonly<Record<string, unknown>>;
}

function openDesktop(
	{ children }: CommandContext,
	code: string,
	folder: string,
	{ env, settings }: EditorOptions,
): Promise<unknown> {
	console.log('Opening the editor');
	const home = mkdtempSync(join(tmpdir(), 'editor-'));
	mkdirSync(join(home, 'User'));
	writeFileSync(join(home, 'User/settings.json'), JSON.stringify({ ...quietSettings, ...settings }, undefined, '\t'));
	const places = [`--user-data-dir=${home}`, `--extensionDevelopmentPath=${root}`];
	const child = children.start(code, ['--new-window', '--wait', ...places, folder], env);
	return new Promise((resolve) => child.once('close', resolve));
}

/** The followed list of an archive that ends with this process. */
async function startedArchive(): Promise<Readonly<Record<string, unknown>>> {
	console.log('Starting the mail archive');
	const archive = await startArchive({ devel: archiveMails().map(({ raw }) => raw) });
	console.log(`  list  ${archive.inboxUrl('devel')}`);
	return { 'forge.archives.lists': [archive.inboxUrl('devel')] };
}

/** Runs the sample forge and an editor that is connected to it, until Ctrl-C. */
export async function startEverything(context: CommandContext): Promise<number> {
	const start = performance.now();
	mkdirSync(resultsFolder, { recursive: true });
	await buildPackageWhenNeeded(context.children);
	const env = connectedTo(await startForge(context));
	const more = context.args.includes(archiveOption) ? await startedArchive() : {};
	const settings = { ...newUser, ...more };
	const { folder } = makeWorkspace();
	const code = context.args.includes(webOption) ? undefined : desktopEditor();
	if (code !== undefined) {
		await openDesktop(context, code, folder, { env, settings });
		return 0;
	}
	console.log('Starting the editor in the browser, because no desktop editor is there or wanted');
	const { authority } = await startWebServer({ env, settings, vsix: vsixFile, logPath: join(resultsFolder, 'start') });
	console.log(`\nReady in ${seconds(performance.now() - start)}. Open http://${authority}/?folder=${folder}`);
	console.log('Ctrl-C ends everything.');
	return new Promise(() => undefined);
}
