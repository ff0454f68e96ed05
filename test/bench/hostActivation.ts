import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import * as v from 'valibot';
import { developmentScript, startBrowser } from '../harness/browser.ts';
import { resultsFolder, root } from '../harness/places.ts';
import { startWebServer } from '../harness/webServer.ts';
import { comparisonOf, type Comparison } from './interleaved.ts';

const sampleSchema = v.object({ tookMs: v.number() });

/** Runs inside the extension host: activates the extension under test and notes how long that took. */
const tests = `
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');
exports.run = async () => {
	const extension = vscode.extensions.all.find(({ id }) => id === 'forge-desk.forge-desk' || id === 'bench.empty');
	if (extension.isActive) { throw new Error('The extension is active already'); }
	const start = performance.now();
	await extension.activate();
	writeFileSync(join(__dirname, 'sample.json'), JSON.stringify({ tookMs: performance.now() - start }));
};
`;

/** Activation in the real extension host, as the editor does it, against an extension that does nothing; a fresh window per sample. */
export async function hostActivation(rounds: number): Promise<Comparison> {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-bench-'));
	const empty = join(folder, 'empty');
	mkdirSync(empty);
	writeFileSync(
		join(empty, 'package.json'),
		JSON.stringify({
			name: 'empty',
			publisher: 'bench',
			version: '0.0.1',
			engines: { vscode: '^1.125.0' },
			main: './main.cjs',
			activationEvents: [],
		}),
	);
	writeFileSync(join(empty, 'main.cjs'), "'use strict';\nexports.activate = () => undefined;\n");
	writeFileSync(join(folder, 'run.cjs'), tests);
	await using owned = new AsyncDisposableStack();
	owned.defer(() => rmSync(folder, { recursive: true }));
	const server = await startWebServer({ env: {}, logPath: join(resultsFolder, 'bench-host') });
	owned.defer(() => server.stop());
	const browser = await startBrowser();
	owned.defer(() => browser.close());

	async function sample(extension: string): Promise<number> {
		await oneWindow(browser, server.authority, { extensions: [extension], tests: join(folder, 'run.cjs') });
		return v.parse(sampleSchema, JSON.parse(readFileSync(join(folder, 'sample.json'), 'utf8'))).tookMs;
	}

	const ours: number[] = [];
	const baseline: number[] = [];
	for (let round = -1; round < rounds; round++) {
		const [baselineMs, oursMs] = [await sample(empty), await sample(root)];
		if (round >= 0) {
			ours.push(oursMs);
			baseline.push(baselineMs);
		}
	}
	return comparisonOf(ours, baseline);
}

/** Opens a window that loads the extension, and resolves when its tests have ended. */
async function oneWindow(
	browser: Browser,
	authority: string,
	paths: { readonly extensions: readonly string[]; readonly tests: string },
): Promise<void> {
	const context = await browser.newContext();
	try {
		const page = await context.newPage();
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
