import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { idOf } from '../support/fakeRepositories.ts';
import { hostileSpread } from '../support/hostileTexts.ts';
import { keepPicture } from './support/pagePictures.ts';
import { axeThemes, axeViolations } from './support/axe.ts';
import { repositoryPagesInBrowser } from './support/repositoryPages.ts';
import { bobsQuill, repositoryWorld, tinyPicture } from '../support/repositoryWorld.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { eventually } from '../support/eventually.ts';
import { chosenPart, testInBoth, testInRest } from '../support/parts.ts';

/** Waits until the page has no pending request. */
async function atRest(page: Page): Promise<void> {
	await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** The text of the focused element. */
function focused(page: Page): Promise<string | null | undefined> {
	return page.evaluate(() => document.activeElement?.textContent);
}

const sizes = [
	['320 pixels', { width: 320, height: 700 }],
	['200 %', { width: 900, height: 800, zoom: 2 }],
] as const;

suite('repository start page', function () {
	this.timeout(120_000);
	const open = repositoryPagesInBrowser();
	setup(resetStub);

	test('shows every part in order, including the repository’s picture', async () => {
		const { page, incidents, foreign } = await open({ connection: repositoryWorld().connection, ref: bobsQuill });
		await page.locator('.readme img').waitFor();
		await atRest(page);
		assert.equal(await page.locator('h1').textContent(), 'quill');
		assert.equal(await page.locator('.about em').textContent(), 'write');
		assert.deepEqual(await page.locator('h2').allTextContents(), ['Latest commits', 'Clone', 'References', 'README']);
		assert.deepEqual(await page.locator('.part-commits .title').allTextContents(), [
			"Merge branch 'side'",
			'Rename it, see ~bob/parser#7',
			'Change 1',
		]);
		assert.equal(await page.locator('.readme img').evaluate((img: HTMLImageElement) => img.naturalWidth), 1);
		assert.deepEqual([incidents, foreign], [[], []]);
	});

	test('rows, buttons and links work by keyboard, and a link within the README stays on the page', async () => {
		const { page } = await open({ connection: repositoryWorld().connection, ref: bobsQuill, height: 400 });
		await page.locator('.readme img').waitFor();
		await page.getByRole('button', { name: "Merge branch 'side'" }).focus();
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'main', exact: true }).press('Enter');
		await page.getByRole('link', { name: 'how' }).press('Enter');
		await eventually(
			() => Promise.resolve(stubbed.executed),
			['forge.repositories.openCommit', 'forge.repositories.mount', 'forge.repositories.openFile'],
		);
		await page.getByRole('link', { name: 'what comes first' }).press('Enter');
		assert.equal(await focused(page), 'First steps');
		assert.ok(await page.evaluate(() => window.scrollY > 0));
		await page.getByRole('link', { name: 'up again' }).press('Enter');
		assert.equal(await focused(page), 'README');
		assert.equal(stubbed.executed.length, 3);
	});

	test('each address has a button that copies it', async () => {
		const { page } = await open({ connection: repositoryWorld().connection, ref: bobsQuill });
		const addresses = ['https://git.forge.test/~bob/quill', 'git@git.forge.test:~bob/quill'];
		for (const address of addresses) {
			await page.locator('dd', { hasText: address }).getByRole('button').click();
		}
		await eventually(async () => stubbed.copied.length, addresses.length);
		assert.deepEqual(stubbed.copied, addresses);
	});

	test('Show More lists all tags and moves the focus to the first new one', async () => {
		const { page } = await open({ connection: repositoryWorld().connection, ref: bobsQuill });
		await atRest(page);
		const tags = page.locator('.group').filter({ hasText: 'Tags' });
		assert.equal(await tags.locator('.row').count(), 5);
		await page.getByRole('button', { name: 'Show All 14, Tags' }).press('Enter');
		assert.equal(await tags.locator('.row').count(), 14);
		assert.equal(await focused(page), 'v1.8');
	});

	test('keeps the focus when pictures arrive, and moves it on while references load', async () => {
		const made = repositoryWorld();
		made.world.pageSize = 8;
		const gate = Promise.withResolvers<undefined>();
		const picture = made.world.write(new Uint8Array(tinyPicture));
		made.world.before = (call) => (call.includes(picture) || call.endsWith('logo.png') ? gate.promise : undefined);
		const { page } = await open({ connection: made.connection, ref: bobsQuill });
		await page.getByRole('link', { name: 'how' }).focus();
		gate.resolve(undefined);
		await page.locator('.readme img').waitFor();
		assert.equal(await focused(page), 'how');
		const count = page.locator('.group').filter({ hasText: 'Tags' }).locator('.count');
		assert.equal(await count.textContent(), ' 6');
		await page.getByRole('button', { name: 'Show More' }).press('Enter');
		await eventually(() => count.textContent(), ' 14');
		assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
	});

	test('keeps all tags and the focused one when more tags arrive', async () => {
		const made = repositoryWorld();
		made.world.pageSize = 12;
		const { page } = await open({ connection: made.connection, ref: bobsQuill });
		const tags = page.locator('.group').filter({ hasText: 'Tags' }).locator('.row');
		await page.getByRole('button', { name: 'Show All 10, Tags' }).click();
		assert.equal(await tags.count(), 10);
		await tags.getByRole('button', { name: 'v1.3' }).focus();
		// A pointer click would move the focus.
		await page.getByRole('button', { name: 'Show More' }).evaluate((button: HTMLElement) => button.click());
		await eventually(() => tags.count(), 14);
		assert.equal(await focused(page), 'v1.3');
	});

	test('a link within the README overrides the restored scroll position, for any kind of click', async () => {
		const made = repositoryWorld();
		made.world.pageSize = 12;
		const { page } = await open({ connection: made.connection, ref: bobsQuill, kept: { top: 150 }, height: 300 });
		await page.locator('.readme img').waitFor();
		await atRest(page);
		await eventually(() => page.evaluate(() => Math.round(window.scrollY)), 150);
		// Assistive tools click without pointer or key events.
		const click = (element: HTMLElement): void => element.click();
		await page.getByRole('link', { name: 'what comes first' }).evaluate(click);
		const top = await page.evaluate(() => window.scrollY);
		assert.ok(top > 200, `${top}`);
		await page.getByRole('button', { name: 'Show More' }).evaluate(click);
		await page.getByRole('button', { name: 'Show All 14, Tags' }).waitFor();
		// Content that grows above pushes it down, and nothing moves it up.
		assert.ok((await page.evaluate(() => window.scrollY)) >= top);
	});

	test('ignores a link within the README to a missing heading', async () => {
		const made = repositoryWorld();
		const root = made.world.grow({ 'README.md': '[bad](#%E0%A4)\n\n## Last\n\n[good](#last)' });
		made.world.logs.set(
			'~bob/quill main',
			made.commits.map((commit) => ({ ...commit, tree: root })),
		);
		const { page, incidents } = await open({ connection: made.connection, ref: bobsQuill });
		await page.getByRole('link', { name: 'bad' }).click();
		await page.getByRole('link', { name: 'good' }).click();
		assert.equal(await focused(page), 'Last');
		assert.deepEqual([incidents, stubbed.executed], [[], []]);
	});

	for (const isMoved of [false, true]) {
		test(`restores the scroll position${isMoved ? ', unless the user has scrolled since' : ''}`, async () => {
			const made = repositoryWorld();
			const gate = Promise.withResolvers<undefined>();
			made.world.before = (call) => (/^(?:blob|tree|log)/.test(call) ? gate.promise : undefined);
			const { page } = await open({ connection: made.connection, ref: bobsQuill, kept: { top: 150 }, height: 200 });
			await page.getByRole('button', { name: 'Open Folder' }).or(page.locator('.actions button').first()).waitFor();
			if (isMoved) {
				await page.evaluate(() => {
					window.dispatchEvent(new WheelEvent('wheel'));
					window.scrollTo(0, 0);
				});
			}
			gate.resolve(undefined);
			await page.locator('.readme').waitFor();
			await atRest(page);
			await eventually(() => page.evaluate(() => Math.round(window.scrollY)), isMoved ? 0 : 150);
		});
	}

	test('an empty repository shows commands for its first push, with a copy button', async () => {
		const { page } = await open({
			connection: repositoryWorld().connection,
			ref: { owner: '~bob', name: 'blank' },
		});
		await page.getByText('This repository is empty.').waitFor();
		await atRest(page);
		assert.deepEqual(await page.locator('h2:visible').allTextContents(), ['Clone']);
		assert.deepEqual(await page.locator('.actions button:visible').allTextContents(), ['Clone…']);
		await page.getByRole('button', { name: 'Copy git remote add' }).click();
		await eventually(
			() => Promise.resolve(stubbed.copied),
			['git remote add origin git@git.forge.test:~bob/blank\ngit push --set-upstream origin HEAD'],
		);
		assert.deepEqual(await axeViolations(page), []);
		await keepPicture(page, 'repository-empty');
	});

	testInBoth('hostile texts stay text in every field', async () => {
		const texts = hostileSpread(chosenPart() === 'first' ? 13 : 40);
		const made = repositoryWorld();
		const [repository] = made.world.repositories;
		made.world.repositories[0] = { ...repository!, description: texts.join('\n\n') };
		made.world.references
			.get('~bob/quill')
			?.push(...texts.map((text) => ({ name: `refs/heads/${text}`, target: idOf(4) })));
		const root = made.world.grow({ 'README.md': texts.map((text) => `${text}\n\n![${text}](${text})`).join('\n\n') });
		made.world.logs.set(
			'~bob/quill main',
			made.commits.map((commit, at) => ({
				...commit,
				tree: root,
				message: texts[at] ?? '',
				author: { name: texts[at + 5] ?? '', email: texts[at + 9] ?? '' },
			})),
		);
		const { page, incidents, foreign } = await open({
			connection: made.connection,
			ref: bobsQuill,
			withoutPolicy: true,
		});
		await page.locator('.readme').waitFor();
		await atRest(page);
		const bad = await page.evaluate(() =>
			[...document.querySelectorAll('main *')]
				.filter(
					(element) =>
						element.matches('script, img, iframe, object, embed, form, style, link, base, meta') ||
						[...element.attributes].some(
							({ name, value }) => name.startsWith('on') || (name === 'href' && !/^(https?:|mailto:|#)/.test(value)),
						),
				)
				.map(({ outerHTML }) => outerHTML),
		);
		assert.deepEqual([bad, incidents, foreign], [[], [], []]);
		assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /[\u202A-\u202E\u2066-\u2069\u200B\u00AD]/);
	});

	for (const theme of axeThemes) {
		const testTheme = theme === axeThemes[0] ? test : testInRest;
		testTheme(`axe reports no violations (${theme})`, async () => {
			const made = repositoryWorld();
			made.world.before = (call) => {
				if (call.startsWith('repository ')) {
					throw new ForgeError({ kind: 'serverError', status: 502 });
				}
			};
			const { page } = await open({
				connection: theme === axeThemes[0] ? made.connection : repositoryWorld().connection,
				ref: bobsQuill,
				theme,
			});
			await page.locator('.readme img').waitFor();
			await atRest(page);
			assert.deepEqual(await axeViolations(page, theme), []);
			await keepPicture(page, `repository-${theme}`);
		});
	}

	for (const [what, size] of sizes) {
		const testSize = size.width === 320 ? test : testInRest;
		testSize(`nothing overflows at ${what}`, async () => {
			const { page } = await open({ connection: repositoryWorld().connection, ref: bobsQuill, ...size });
			await page.locator('.readme img').waitFor();
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
			await keepPicture(page, `repository-${what.replaceAll(/\W+/g, '')}`);
		});
	}
});

suite('commit page', function () {
	this.timeout(120_000);
	const open = repositoryPagesInBrowser();
	setup(resetStub);

	test('shows message, people, files and parents, with links', async () => {
		const { connection } = repositoryWorld();
		const { page, incidents, foreign } = await open({ connection, ref: bobsQuill, commit: idOf(3) });
		await page.locator('.files li').first().waitFor();
		assert.equal(await page.locator('h1').textContent(), 'Rename it, see ~bob/parser#7');
		assert.deepEqual(await page.locator('.files .file').allTextContents(), [
			'docs/how.md',
			'new name.c',
			'old name.c symbolic link, was file',
		]);
		await page.getByRole('button', { name: 'Carol' }).click();
		await page.locator('.files').getByRole('button', { name: 'new name.c' }).press('Enter');
		await page.getByRole('button', { name: idOf(1).slice(0, 10) }).click();
		assert.equal(
			await page.locator('dd', { hasText: idOf(1).slice(0, 10) }).textContent(),
			`${idOf(1).slice(0, 10)} Change 1`,
		);
		await page.getByRole('button', { name: 'Open Changes' }).click();
		await eventually(
			() => Promise.resolve(stubbed.executed),
			[
				'forge.people.open',
				'forge.repositories.openChange',
				'forge.repositories.openCommit',
				'forge.repositories.openChanges',
			],
		);
		assert.deepEqual([incidents, foreign], [[], []]);
	});

	test('keeps the focus when the signature check completes', async () => {
		const { connection } = repositoryWorld();
		const gate = Promise.withResolvers<{ readonly kind: 'good'; readonly signer: string; readonly key: string }>();
		const commit = idOf(3);
		const { page } = await open({ connection, ref: bobsQuill, commit, verifySignature: () => gate.promise });
		await page.getByText('signed, not verified').waitFor();
		await page.getByRole('button', { name: 'Browse Files' }).focus();
		gate.resolve({ kind: 'good', signer: 'Alice', key: 'ABCD1234' });
		await page.getByText('signed by Alice').waitFor();
		assert.equal(await focused(page), 'Browse Files');
	});

	test('compares a merge with the chosen parent, also after a reload', async () => {
		const { connection } = repositoryWorld();
		const { page } = await open({ connection, ref: bobsQuill, commit: idOf(4) });
		const files = (): Promise<readonly string[]> => page.locator('.files .file').allTextContents();
		await eventually(files, ['old name.c symbolic link', 'side.txt']);
		const parents = (): Promise<readonly string[]> => page.locator('.commit-facts dd > div').allTextContents();
		const [first, second] = [idOf(3).slice(0, 10), idOf(2).slice(0, 10)];
		await eventually(parents, [`${first} Rename it, see ~bob/parser#7`, `${second} `]);
		const button = await page.getByRole('button', { name: second }).elementHandle();
		await page.getByLabel('Compared with').selectOption('1');
		await eventually(files, ['docs/how.md', 'old name.c → new name.c']);
		await eventually(parents, [`${first} Rename it, see ~bob/parser#7`, `${second} Change 2`]);
		assert.equal(await page.locator('#compared-with option:checked').textContent(), `parent 2: ${second} Change 2`);
		assert.equal(await button?.evaluate((node) => node.isConnected), true, 'whoever was pressing it still is');
		await page.reload();
		await eventually(files, ['docs/how.md', 'old name.c → new name.c']);
		assert.equal(await page.getByLabel('Compared with').inputValue(), '1');
		assert.deepEqual(await axeViolations(page), []);
		await keepPicture(page, 'commit-merge');
	});

	test('requests a previously chosen parent once, and only if the commit has it', async () => {
		const { connection } = repositoryWorld();
		const asked = async (parent: number): Promise<readonly string[]> => {
			const opened = await open({ connection, ref: bobsQuill, commit: idOf(4), kept: { parent, top: 0 } });
			await opened.page.locator('.files li').first().waitFor();
			const before = opened.asked.length;
			opened.tell('reload', undefined);
			await eventually(async () => opened.asked.length > before, true);
			await opened.page.getByLabel('Compared with').selectOption('1');
			await eventually(
				() => opened.page.locator('.files .file').allTextContents(),
				['docs/how.md', 'old name.c → new name.c'],
			);
			return opened.asked.filter((name) => name === 'compareWith');
		};
		// The last request belongs to the manual choice.
		assert.equal((await asked(1)).length, 2);
		assert.equal((await asked(2)).length, 1);
	});

	for (const theme of axeThemes) {
		const testTheme = theme === axeThemes[0] ? test : testInRest;
		testTheme(`axe reports no violations (${theme})`, async () => {
			const { connection } = repositoryWorld();
			const { page } = await open({
				connection,
				ref: bobsQuill,
				commit: idOf(3),
				theme,
				...(theme === 'dark'
					? { verifySignature: () => Promise.resolve({ kind: 'good', signer: 'Alice', key: 'ABCD1234' } as const) }
					: {}),
			});
			await page.locator('.files li').first().waitFor();
			assert.deepEqual(await axeViolations(page, theme), []);
			await keepPicture(page, `commit-${theme}`);
		});
	}

	for (const [what, size] of sizes) {
		const testSize = size.width === 320 ? test : testInRest;
		testSize(`nothing overflows at ${what}`, async () => {
			const { connection } = repositoryWorld();
			const { page } = await open({ connection, ref: bobsQuill, commit: idOf(3), ...size });
			await page.locator('.files li').first().waitFor();
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
			await keepPicture(page, `commit-${what.replaceAll(/\W+/g, '')}`);
		});
	}
});
