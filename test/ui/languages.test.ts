import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../harness/places.ts';
import { chainedSuite } from '../support/chain.ts';
import { titleIn } from '../support/labelInName.ts';
import { inRest } from '../support/parts.ts';
import { clippedTexts, textsIn } from './support/elementTexts.ts';
import { installPseudoLocale, isPseudo, pseudo, pseudoLocale, speak } from './support/language.ts';
import { clickRow, collapse, expand, openContainer, quickInput, runCommand, webview } from './support/user.ts';
import { startWorkbench, type Workbench } from './support/workbench.ts';

const settings = { 'forge.filters': undefined, 'forge.tickets.show': undefined };

/** Texts by people of the sample forge. */
const worldTexts = globSync('packages/sample-forge/src/{worlds,sampleData/guest}/**/*.{json,ts,mbox,import}', {
	cwd: root,
})
	.map((file) =>
		readFileSync(join(root, file), 'utf8')
			.replaceAll(/\\n|\s+/g, ' ')
			.replaceAll('\\"', '"'),
	)
	.join(' ');

/** Names, and the editor's words: it labels views and boxes of extensions, and formats dates. */
const otherTexts =
	/^(?:~.*|pebble#\d+ .*|\d+[dhmy] .*|\w+@forge\.test|Control\+\S+|pebble v\d|Actions for .*|.* \d{4}(?: at .*)?|\d+ \w+ ago|yesterday|today|now|this minute|last \w+|v\d · \w+ · \d+\w|\p{L}+ \p{L}+ · \S+:\d+|On \w{3}, .* wrote:)$/u;

/** A subject may have the facts of a row around it, or its end may be cut. */
const isWorldText = (text: string): boolean =>
	worldTexts.includes(
		titleIn(text)
			.replace(/^(?:v\d+|\d+\/\d+) /, '')
			.replace(/(?:…)? #\d+$/u, ''),
	);

const untranslated = (texts: readonly string[]): readonly string[] =>
	[...new Set(texts)].filter(
		(text) => /[a-z]{3}/i.test(text) && !isPseudo(text) && !isWorldText(text) && !otherTexts.test(text),
	);

chainedSuite('languages in the editor', function () {
	inRest(this);
	let workbench: Workbench;
	suiteSetup(async () => {
		workbench = await startWorkbench({ name: 'languages', settings, viewport: { width: 1280, height: 1500 } });
		await installPseudoLocale(workbench);
	});
	suiteTeardown(() => workbench.stop());
	teardown(async function () {
		if (this.currentTest?.state === 'failed') {
			await workbench.picture(this.currentTest.title);
		}
	});

	test('in the pseudo-locale, no text is untranslated or clipped', async () => {
		await speak(workbench, pseudoLocale);
		const { page } = workbench;
		const wrong: Record<string, readonly string[]> = {};
		async function look(name: string, at: Locator): Promise<void> {
			await workbench.screenshot(name);
			const found = await Promise.all(
				(await at.all()).map(
					async (each) => [await each.evaluate(textsIn), await each.evaluate(clippedTexts)] as const,
				),
			);
			const texts = found.flatMap(([shown]) => shown);
			assert.ok(texts.some(isPseudo), name);
			wrong[name] = [...untranslated(texts), ...found.flatMap(([, clipped]) => clipped)];
		}
		const body = webview(page).locator('body');
		await openContainer(page, pseudo('Forge'));
		const welcome = page.locator('.sidebar .welcome-view-content:visible');
		await welcome.getByText(pseudo('Sign In')).first().waitFor();
		await look('welcome', welcome.filter({ has: page.locator('.monaco-button') }));
		await runCommand(page, `Forge: ${pseudo('Sign In…')}`);
		const other = quickInput(page)
			.getByRole('option')
			.filter({ hasText: pseudo('Another Forge…') });
		await other.waitFor();
		await look('sign-in', other);
		await page.keyboard.press('Escape');
		await runCommand(page, `Forge: ${pseudo('Try the Sample Forge')}`);
		await expand(page, / pebble \S+ ~alice/);
		await clickRow(page, /#24,/);
		await webview(page).locator('.entry').first().waitFor();
		await look('ticket', body);
		await collapse(page, / pebble \S+ ~alice/);
		await page.getByRole('button', { name: new RegExp(`^${pseudo('Lists')}`) }).click();
		await expand(page, /pebble-devel/);
		await clickRow(page, /Compress text answers/);
		await webview(page).locator('.diffstat').waitFor();
		await look('patchset', body);
		// Not the editor's bars around them.
		await look('views', page.locator('.sidebar :is(.monaco-list-rows, .pane-header .title)'));
		assert.deepEqual(wrong, Object.fromEntries(Object.keys(wrong).map((name) => [name, []])));
	});

	test('in German, views and pages are German', async () => {
		await speak(workbench, 'de');
		const { page } = workbench;
		// The sample forge continues in the window with the other language.
		await expand(page, /^Tracker pebble von ~alice/);
		await clickRow(page, / #24,.* Gemeldet, aktualisiert /);
		await webview(page).getByRole('heading', { name: 'Zeitachse' }).waitFor();
		await webview(page)
			.getByText(/^(?:gestern|vorgestern|vor \d+ (?:Stunden|Tagen))$/)
			.first()
			.waitFor();
		await workbench.screenshot('german');
	});
});
