import { cpSync, mkdirSync, mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import * as v from 'valibot';
import { developmentScript, startBrowser } from '../harness/browser.ts';
import { resultsFolder, root } from '../harness/places.ts';
import { startWebServer } from '../harness/webServer.ts';
import { patientPage } from '../support/patientPage.ts';
import { ratioFigure } from './figures.ts';
import { compare, comparisonOf } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

const rounds = 12;

/** Milliseconds, by the extension. */
const sampleSchema = v.record(v.string(), v.number());

const [oursId, emptyId] = ['forge-desk.forge-desk', 'bench.empty'] as const;

/** Runs inside the extension host: activates the extensions under test and writes the times to a file. */
const tests = `
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');
exports.run = async () => {
	const tookMs = {};
	for (const id of ['${oursId}', '${emptyId}']) {
		const extension = vscode.extensions.getExtension(id);
		if (extension === undefined) { continue; }
		if (extension.isActive) { throw new Error(id + ' is active already'); }
		const start = performance.now();
		await extension.activate();
		tookMs[id] = performance.now() - start;
	}
	writeFileSync(join(__dirname, 'sample.json'), JSON.stringify(tookMs));
};
`;

/**
 * Activation in the real extension host, against an extension that does nothing; a fresh window per sample. At the smallest
 * size one window has both extensions.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-host-'));
	const folder = temporary.path;
	const empty = writeExtension(folder, "'use strict';\nexports.activate = () => undefined;\n");
	writeFileSync(join(folder, 'run.cjs'), tests);
	const ours = unstarted(folder);
	await using owned = new AsyncDisposableStack();
	const server = await startWebServer({ env: {}, logPath: join(resultsFolder, 'bench-host') });
	owned.defer(() => server.stop());
	const browser = await startBrowser();
	owned.defer(() => browser.close());

	async function sample(...extensions: readonly string[]): Promise<Readonly<Record<string, number>>> {
		rmSync(join(folder, 'sample.json'), { force: true });
		await oneWindow(browser, server.authority, { extensions, tests: join(folder, 'run.cjs') });
		return v.parse(sampleSchema, JSON.parse(readFileSync(join(folder, 'sample.json'), 'utf8')));
	}

	const timeOf = (samples: Readonly<Record<string, number>>, id: string): number => samples[id] ?? Number.NaN;
	const both = size === 'smallest' && (await sample(empty, ours));
	const comparison = both
		? comparisonOf([timeOf(both, oursId)], [timeOf(both, emptyId)])
		: await compare(
				{ name: 'ours', run: async () => timeOf(await sample(ours), oursId) },
				{ name: 'empty', run: async () => timeOf(await sample(empty), emptyId) },
				rounds,
			);
	return [ratioFigure('Activation to an empty extension, in the extension host', 1.5, comparison)];
}

/** Writes an extension `bench.empty` below the folder. */
export function writeExtension(folder: string, main: string, manifest: object = {}): string {
	const extension = join(folder, 'empty');
	const engines = { vscode: '^1.125.0' };
	const least = { name: 'empty', publisher: 'bench', version: '0.0.1', engines, main: './main.cjs' };
	mkdirSync(extension);
	writeFileSync(join(extension, 'package.json'), JSON.stringify({ ...least, activationEvents: [], ...manifest }));
	writeFileSync(join(extension, 'main.cjs'), main);
	return extension;
}

/** The packaged extension without `onStartupFinished`: the measured activation has to be the first one. */
function unstarted(folder: string): string {
	const copy = join(folder, 'ours');
	for (const name of ['dist', 'media']) {
		cpSync(join(root, name), join(copy, name), { recursive: true });
	}
	const { activationEvents, ...manifest } = v.parse(
		v.looseObject({ activationEvents: v.array(v.string()) }),
		JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
	);
	const others = activationEvents.filter((event) => event !== 'onStartupFinished');
	writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, activationEvents: others }));
	return copy;
}

/** Opens a window that loads the extension, and resolves when its tests have ended. */
async function oneWindow(
	browser: Browser,
	authority: string,
	paths: { readonly extensions: readonly string[]; readonly tests: string },
): Promise<void> {
	const context = await browser.newContext();
	try {
		const page = await patientPage(context);
		await page.addInitScript({ content: developmentScript(authority, paths) });
		const ended = Promise.withResolvers<number>();
		await page.exposeFunction('codeAutomationExit', ended.resolve);
		await page.goto(`http://${authority}/?folder=${encodeURIComponent(dirname(paths.tests))}`);
		const code = await ended.promise;
		if (code !== 0) {
			throw new Error(`The extension host ended with ${code}`);
		}
	} finally {
		await context.close();
	}
}
