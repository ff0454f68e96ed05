import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ToolState } from 'sourcehut/port/list.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fileIdentity } from 'patchmail/patch/fileIdentity.ts';
import type { ReviewPart } from 'patchmail/review/reviewDraft.ts';
import { badNodes } from '../support/badNodes.ts';
import { listConnection } from '../support/fakeLists.ts';
import { fakeDrafts } from '../support/fakeTicketsParts.ts';
import { besideSideBar, brokenWords } from './support/brokenWords.ts';
import { keepPicture } from './support/pagePictures.ts';
import { axeThemes, axeViolations, isWhole } from './support/axe.ts';
import { makeList } from '../support/makeMail.ts';
import { patchsetPages } from './support/patchsetPages.ts';
import { deceiving, patchsetWorld, type PatchsetWorld } from '../support/patchsetWorld.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { eventually } from '../support/eventually.ts';
import { testInRest } from '../support/parts.ts';

const { draftCounts } = await import('../../src/features/lists/reviewState/draftCounts.ts');
const { patchsetChecks } = await import('../../src/features/lists/checks/patchsetChecks.ts');

suite('patchset page', function () {
	this.timeout(120_000);
	const open = patchsetPages();
	setup(() => resetStub());

	function opened(world: PatchsetWorld, wish = {}): ReturnType<typeof open> {
		return open({ connection: listConnection(world.api), ref: world.ref, ...wish });
	}

	async function ready(page: Page): Promise<void> {
		await page.locator('.patch').nth(2).waitFor();
		await page.locator('table').waitFor();
	}

	/** The commands run so far. */
	const executed = (): Promise<readonly string[]> => Promise.resolve(stubbed.executed);

	/** Waits for this number of failures on the page. */
	async function alerts(page: Page, count: number): Promise<void> {
		await eventually(() => page.getByRole('alert').count(), count);
	}

	function focusedText(page: Page): Promise<string | null | undefined> {
		return page.evaluate(() => document.activeElement?.textContent);
	}

	function textsOf(page: Page, selector: string): Promise<readonly string[]> {
		return page.locator(selector).allInnerTexts();
	}

	test('shows tool results below the title, rendered safely, and updates them', async () => {
		const world = patchsetWorld();
		const patchsets = world.world.patchsets.get('~alice/devel') ?? [];
		const say = (state: ToolState, details: string): void => {
			const tool = { id: 1, updatedMs: 0, state, details };
			const tools = [tool, { ...tool, id: 2, state: 'success' as const }];
			world.world.patchsets.set(
				'~alice/devel',
				patchsets.map((each) => ({ ...each, tools })),
			);
		};
		say('pending', '[#7](https://builds.forge.test/7) `.build.yml` <img src=x onerror=alert(1)>');
		const connection = listConnection(world.api);
		const { page, incidents } = await open({ connection, ref: world.ref });
		const tools = page.getByRole('list', { name: 'Continuous integration' }).getByRole('listitem');
		await eventually(() => tools.count(), 2);
		await eventually(() => tools.nth(0).locator('strong').innerText(), 'CI pending');
		await eventually(() => tools.nth(0).locator('a').getAttribute('href'), 'https://builds.forge.test/7');
		assert.equal(await tools.locator('img').count(), 0);
		assert.match(await tools.nth(0).innerText(), /<img src=x/);
		await keepPicture(page, 'patchset-tools');
		say('failed', 'Job **7** failed');
		await connection.lists.renewPatchset(world.ref, new AbortController().signal);
		await eventually(() => tools.nth(0).locator('strong').first().innerText(), 'CI failed');
		assert.deepEqual(incidents, []);
	});

	test('shows title, status, version and sender, plus the address of a sender with a deceptive name', async () => {
		const { page, incidents } = await opened(patchsetWorld());
		await ready(page);
		assert.equal(await page.locator('h1').textContent(), 'fold: ⟨U+202E⟩tsrif⟨U+202C⟩ open');
		assert.equal(await page.locator('h1 .hidden-character').count(), 2);
		assert.equal(await page.locator('button.reference').innerText(), '~alice/devel/patches/2');
		assert.equal(await page.locator('button.status').innerText(), 'Proposed');
		assert.equal(await page.locator('button.version').innerText(), 'lantern v2');
		assert.match(
			await page.locator('header .byline').innerText(),
			/^security@forge\.test <mallory@elsewhere\.test> · sent/,
		);
		assert.match((await textsOf(page, '.cautions .caution')).join('\n'), /address security@forge\.test/);
		assert.deepEqual(incidents, []);
	});

	test('lists a version sent as a reply and opens its own page', async () => {
		const { page } = await opened(patchsetWorld('~alice', { laterInThread: true }));
		await ready(page);
		const row = page.locator('.part li').filter({ hasText: 'reply in the same thread' });
		assert.match(
			await row.innerText(),
			/^v5 fold: find in a tree at last · Proposed · reply in the same thread · Compare/,
		);
		// The thread has one of its two patches, and a part supersedes nothing.
		assert.match((await textsOf(page, '.suggestion')).join('\n'), /^Superseded by v3 /);
		await keepPicture(page, 'patchset-in-thread');
		await row.getByRole('button', { name: /^v5/ }).click();
		await eventually(executed, ['forge.patchsets.open']);
		await row.getByRole('button', { name: /^Compare v5/ }).click();
		await eventually(executed, ['forge.patchsets.open', 'forge.patchsets.compareVersions']);
	});

	test('opens the page of a version sent as a reply without any earlier read', async () => {
		const world = patchsetWorld('~alice', { laterInThread: true });
		const { page } = await opened({ ...world, ref: { ...world.ref, id: formedPatchsetId(31) } });
		await page.locator('.patch').waitFor();
		assert.match(await page.locator('header .byline').innerText(), /^Bob Builder .* · came as a reply$/);
		assert.match(await page.locator('.patchset-head').innerText(), /~alice\/devel\/<m31@forge\.test>/);
		assert.deepEqual(await textsOf(page, '.patch h3'), ['1/2 fold: find in a tree at last']);
		assert.match((await textsOf(page, '.health')).join('\n'), /2 of 2/);
	});

	test('lists the patches in order with author, size, files and notices', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		assert.deepEqual(await textsOf(page, '.patch h3'), [
			'1/4 fold: find in a tree',
			'2/4 fold: move the header',
			'3/4 fold: a long line',
		]);
		const files = await page
			.locator('.patch')
			.nth(1)
			.locator('.files li:not(.folder)')
			.evaluateAll((rows) => rows.map((row) => row.textContent?.replaceAll(/\s+/g, ' ')));
		assert.deepEqual(files, [
			'Mmodifiedrun ordinary file (100644) becomes executable file (100755) Viewed',
			'Mmodifiedlamp.png binary Viewed',
			'Aaddedgpj.⟨U+202E⟩gnp.sh 2 lines added, 0 removed+2 −0 executable file Viewed',
			'Rrenamedsrc/fold.h → src/fold_tree.h 1 line added, 1 removed+1 −1 Viewed',
			'Ddeletedold.txt 0 lines added, 2 removed+0 −2 Viewed',
		]);
		assert.match(
			await page.locator('.patch').nth(1).locator('.byline').innerText(),
			/^Carol Coder <carol@forge\.test> · \s*3 lines added, 3 removed\s*\+3 −3 · 5 files/,
		);
		await page.locator('.patch').nth(0).getByText('1 comment').waitFor();
		assert.match(
			await page.locator('.patch').nth(0).locator('.comments').innerText(),
			/^Nice\. Dora Reviewer · fold\.c:42$/,
		);
	});

	test('explains each problem of the series and its fix in a sentence', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		const health = await textsOf(page, '.health li');
		assert.ok(
			health.some((text) => text.startsWith('Patch 4 of 4 is missing. Ask the sender for it')),
			health.join('\n'),
		);
		assert.ok(
			health.some((text) => /wrapped long lines/.test(text)),
			health.join('\n'),
		);
		assert.match(await page.locator('.patch').nth(2).innerText(), /Damaged/);
	});

	test('lists the thread’s trailers in a table with one row for each person', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		const rows = await page
			.locator('tbody tr')
			.evaluateAll((all) => all.map((row) => Array.from(row.children, (cell) => cell.textContent)));
		assert.deepEqual(
			rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
			[
				[
					'Carol Coder <carol@forge.test>',
					'Signed-off-by patch 1 in the patch, by someone elseUnknown: no loaded message of this person has this trailer.',
				],
				['Dora Reviewer <dora@forge.test>', 'Reviewed-by patch 1 given in a replyGiven to this patch.'],
				[
					'Emil Tester <emil@forge.test>',
					'Tested-by patch 1 given in a reply, by someone elseUnknown: no loaded message of this person has this trailer.',
				],
			],
		);
	});

	test('links the tickets that the mails name, and opens them on click', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		const tickets = page.locator('section', { has: page.getByRole('heading', { name: 'Tickets' }) });
		assert.deepEqual(await tickets.locator('a').allInnerTexts(), ['~alice/lantern#121', '~alice/lantern#7']);
		await tickets.locator('a').first().click();
		await eventually(executed, ['forge.tickets.open']);
	});

	test('lists all versions with the kind of link, and opens another one', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		await page.locator('button.version').click();
		const items = await page.getByRole('menu', { name: 'Versions' }).locator('button').allInnerTexts();
		assert.equal(items.length, 4);
		assert.match(items[1] ?? '', /^v2 · Proposed · this page$/);
		assert.match(items[2] ?? '', /^v3 · Proposed · same subject/);
		await page.getByRole('menuitemradio', { name: /^v3/ }).click();
		await eventually(executed, ['forge.patchsets.open']);
		assert.deepEqual(Reflect.get(Object(stubbed.passed[0]), 'ref'), {
			list: { owner: '~alice', name: 'devel' },
			id: 3,
		});
	});

	test('suggests a status with its evidence, and sets it only by its button', async () => {
		const world = patchsetWorld();
		const { page } = await opened(world);
		await ready(page);
		const suggestion = page.locator('.suggestion');
		assert.match(await suggestion.innerText(), /Superseded by v3/);
		assert.deepEqual(
			world.world.calls.filter((call) => call.startsWith('status')),
			[],
		);
		await suggestion.getByRole('button', { name: 'Set to Superseded' }).click();
		await page.locator('button.status-superseded, .status-superseded').waitFor();
		assert.deepEqual(
			world.world.calls.filter((call) => call.startsWith('status')),
			['status ~alice/devel 2 superseded'],
		);
	});

	test('sets the status from the menu, and names who may set it to everybody else', async () => {
		const mine = await opened(patchsetWorld());
		await ready(mine.page);
		await mine.page.locator('button.status').click();
		await mine.page.getByRole('menuitemradio', { name: 'Approved' }).click();
		await mine.page.locator('.status-approved').waitFor();
		const world = patchsetWorld('~bob');
		const { page } = await open({ connection: listConnection(world.api, '~bob'), ref: world.ref });
		await ready(page);
		assert.match((await page.locator('button.status').getAttribute('title')) ?? '', /^Only ~alice, who owns the list/);
		await page.locator('button.status').click();
		await page.getByRole('menuitemradio', { name: 'Approved' }).click();
		const isTold = (): boolean => stubbed.shown.some((text) => text.includes("only the list's owner can set it"));
		await eventually(() => Promise.resolve(isTold()), true);
		assert.equal(await page.locator('button.status').innerText(), 'Proposed');
	});

	test('explains in the menu that the forge forbids setting the status, and sends nothing', async () => {
		const world = patchsetWorld('~bob');
		const connection = listConnection(world.api, '~bob');
		const permissions = {
			mine: ['browse'],
			nonsubscriber: undefined,
			subscriber: undefined,
			account: undefined,
		} as const;
		const known = makeList({ permissions });
		connection.lists.collection.known = () => known;
		const { page } = await open({ connection, ref: world.ref });
		await ready(page);
		await page.locator('button.status').click();
		const approved = page.getByRole('menuitemradio', { name: 'Approved' });
		assert.equal(await approved.getAttribute('aria-disabled'), 'true');
		assert.equal(await approved.getAttribute('aria-description'), 'Only moderators of the list can set the status.');
		await page.keyboard.press('ArrowDown');
		assert.equal(await page.locator(':focus').getAttribute('aria-disabled'), 'true');
		await page.keyboard.press('Enter');
		await approved.click({ force: true });
		assert.equal(await approved.isVisible(), true);
		await page.keyboard.press('Escape');
		const suggested = page.getByRole('button', { name: 'Set to Superseded' });
		assert.equal(await suggested.getAttribute('aria-disabled'), 'true');
		assert.equal(await suggested.getAttribute('title'), 'Only moderators of the list can set the status.');
		await suggested.click({ force: true });
		assert.deepEqual(await axeViolations(page), []);
		assert.deepEqual(
			world.world.calls.filter((call) => call.startsWith('status')),
			[],
		);
	});

	test('shows a button’s failure in view until the next press', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const { page } = await open({ connection, ref: world.ref });
		await ready(page);
		const known = connection.reviews.known.bind(connection.reviews);
		connection.reviews.known = () => {
			throw new Error('The line is dead');
		};
		await page.getByRole('button', { name: 'Show Message' }).first().click();
		const said = page.locator('.page-failure');
		await said.waitFor();
		assert.match(await said.innerText(), /The line is dead/);
		assert.deepEqual(await axeViolations(page), []);
		connection.reviews.known = known;
		await page.getByRole('button', { name: 'Add Trailer…' }).first().click();
		await said.waitFor({ state: 'hidden' });
		// The command runs a moment later and must not leak into the next test.
		await eventually(executed, ['forge.review.setTrailer']);
	});

	test('shows an unsent review with its actions until it is gone', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const drafts = fakeDrafts();
		const { page, incidents } = await open({
			connection,
			ref: world.ref,
			changes: { drafts, draftCounts: draftCounts(drafts) },
		});
		await ready(page);
		const pending = page.getByRole('region', { name: 'Your review' });
		assert.equal(await pending.getByRole('button', { name: 'Discard Review…' }).isVisible(), false);
		const keep = (part: ReviewPart, text: string): Promise<void> => {
			return drafts.keep({ kind: 'review', connectionKey: connection.key, ref: world.ref, part }, { text, atMs: 1 });
		};
		await keep({ kind: 'trailer', messageId: '<m2@forge.test>' }, 'Reviewed-by');
		await pending.getByText('Your review is not sent: 1 draft trailer.').waitFor();
		await pending.getByRole('button', { name: 'Preview Review' }).focus();
		await keep({ kind: 'status' }, 'approved');
		await pending.getByText('Your review is not sent: 1 draft trailer, draft status: Approved.').waitFor();
		assert.equal(await focusedText(page), 'Preview Review');
		assert.deepEqual(await axeViolations(page), []);
		await keepPicture(page, 'patchset-pending-review');
		for (const name of ['Preview Review', 'Send Review…', 'Discard Review…']) {
			await pending.getByRole('button', { name }).click();
		}
		await eventually(executed, ['forge.review.preview', 'forge.review.send', 'forge.review.discard']);
		await keep({ kind: 'trailer', messageId: '<m2@forge.test>' }, '');
		await keep({ kind: 'status' }, '');
		await pending.getByRole('button', { name: 'Discard Review…' }).waitFor({ state: 'hidden' });
		assert.deepEqual(incidents, []);
	});

	test('keeps the comment on the series as a draft of the review before it is sent', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const drafts = fakeDrafts();
		const { page, tell } = await open({
			connection,
			ref: world.ref,
			changes: { drafts, draftCounts: draftCounts(drafts) },
		});
		await ready(page);
		tell('write', 'comment');
		const box = page.getByRole('textbox', { name: 'Your comment on the series' });
		await eventually(() => box.evaluate((each) => each === document.activeElement), true);
		await page.keyboard.type('Good idea.');
		await page.keyboard.press('Control+Enter');
		await eventually(executed, ['forge.review.send']);
		const [draft] = drafts.all();
		assert.equal(draft?.draft.text, 'Good idea.');
		const place =
			draft?.about.kind === 'review' && draft.about.part.kind === 'comment' ? draft.about.part.place : undefined;
		assert.deepEqual(place, { kind: 'mail', messageId: '<m20@forge.test>' });
		await page.getByText('Your review is not sent: 1 draft comment.').first().waitFor();
		assert.ok(draft);
		await drafts.keep(draft.about, { text: '', atMs: 2 });
		await eventually(() => box.inputValue(), '');
	});

	test('hides viewed files, and keeps folded folders', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const { page } = await open({ connection, ref: world.ref });
		await ready(page);
		const file = page.locator('.files li:not(.folder)').filter({ hasText: 'fold.c' });
		assert.equal(await file.isVisible(), true);
		await page.getByLabel('Hide viewed files').check();
		assert.equal(await file.isVisible(), true);
		const { patch } = connection.reviews.known(world.ref)?.series.patches[0] ?? assert.fail();
		const marks = patch.diff.files.map((each) => fileIdentity(patch.diffText, each));
		await connection.viewed.mark(world.ref, marks, true);
		await file.waitFor({ state: 'hidden' });
		await page.getByLabel('Hide viewed files').uncheck();
		await file.waitFor();
		const folder = page.locator('.folder').first();
		await folder.locator('summary').click();
		await file.waitFor({ state: 'hidden' });
		await connection.viewed.mark(world.ref, marks, false);
		await eventually(() => folder.getAttribute('data-viewed'), null);
		assert.equal(await folder.locator('details').getAttribute('open'), null);
	});

	test('passes the subject of files, patches and buttons to their commands', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		await page.getByRole('button', { name: 'old.txt' }).click();
		for (const name of ['First Unviewed File', 'Apply…']) {
			await page.getByRole('button', { name }).click();
		}
		for (const name of ['Open All Diffs', 'Open Thread', 'Preview Review', 'Save .mbox', 'Copy git am Command']) {
			await page.getByRole('button', { name: 'More Actions' }).click();
			await page.getByRole('menuitem', { name }).click();
		}
		await page.getByRole('button', { name: 'Open on the Web' }).click();
		await page.getByRole('button', { name: 'Carol Coder' }).first().click();
		await eventually(executed, [
			'forge.patchsets.openDiff',
			'forge.patchsets.nextUnviewed',
			'forge.patchsets.apply',
			'forge.patchsets.openDiff',
			'forge.patchsets.openThread',
			'forge.review.preview',
			'forge.patchsets.save',
			'forge.patchsets.copyCommand',
			'forge.openOnWeb',
			'forge.people.open',
		]);
		assert.deepEqual(stubbed.passed[0], {
			kind: 'patchFile',
			connectionKey: 'sample-alice',
			list: { owner: '~alice', name: 'devel' },
			patchsetId: 2,
			mailId: 22,
			fileIndex: 3,
		});
		assert.equal(Reflect.get(Object(stubbed.passed.at(-1)), 'name'), 'carol@forge.test');
	});

	test('offers checking and applying, shows a verdict while it is current, and offers neither without git', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const checks = patchsetChecks();
		const { page } = await open({ connection, ref: world.ref, changes: { checks } });
		await ready(page);
		await page.getByRole('button', { name: 'Apply…' }).click();
		await page.getByRole('button', { name: 'More Actions' }).click();
		await page.getByRole('menuitem', { name: 'Check if It Applies…' }).click();
		await eventually(executed, ['forge.patchsets.apply', 'forge.patchsets.checkApplies']);
		const verdict = {
			kind: 'conflicts',
			id: undefined,
			files: [{ kind: 'conflict', reason: 'missing', hunk: 0 }],
		} as const;
		const verdicts = [{ index: 2, mailId: 22, paths: ['src/fold.h'], verdict }];
		let isFresh = true;
		checks.note(connection.key, world.ref, { on: 'main', commit: 'a'.repeat(40), verdicts, isFresh: () => isFresh });
		const said = page.locator('.applies');
		await said.filter({ hasText: 'The patchset does not apply to main (aaaaaaaaaa): patch 2, src/fold.h' }).waitFor();
		assert.deepEqual(await axeViolations(page), []);
		isFresh = false;
		await connection.lists.renewPatchset(world.ref, new AbortController().signal);
		checks.note(connection.key, world.ref, { on: 'main', commit: 'b'.repeat(40), verdicts, isFresh: () => isFresh });
		await said.waitFor({ state: 'hidden' });
		const trust = { isTrusted: () => false, onDidGrant: () => ({ dispose: () => undefined }) };
		const restricted = await open({ connection, ref: world.ref, changes: { trust } });
		await ready(restricted.page);
		assert.equal(await restricted.page.getByRole('button', { name: 'Apply…' }).count(), 0);
	});

	test('shows the head before the mails arrive, and a failed part shows its reason and a retry', async () => {
		const world = patchsetWorld();
		let fails = true;
		world.world.before = (call) => {
			if (fails && call.startsWith('patches')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		const { page } = await opened(world);
		await page.locator('h1').waitFor();
		await page.getByText('The forge said: notFound.').waitFor();
		assert.equal(await page.locator('.patch').count(), 0);
		fails = false;
		await page.getByRole('button', { name: 'Try Again' }).click();
		await ready(page);
		await alerts(page, 0);
	});

	test('reports an unreadable patchset once, and a retry reads all of it', async () => {
		const world = patchsetWorld();
		let fails = true;
		world.world.before = () => {
			if (fails) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const { page } = await opened(world);
		await page.getByText('The forge said: notAllowed.').waitFor();
		await alerts(page, 1);
		fails = false;
		await page.getByRole('button', { name: 'Try Again' }).click();
		await ready(page);
		await alerts(page, 0);
	});

	test('restores the scroll position after a reload', async () => {
		const { page, kept } = await opened(patchsetWorld(), { height: 400 });
		await ready(page);
		const top = (): Promise<number> => page.evaluate(() => Math.round(window.scrollY));
		// The editor creates a new frame, where no browser restores the scroll position.
		await page.evaluate(() => (history.scrollRestoration = 'manual'));
		await page.mouse.move(200, 200);
		await page.mouse.wheel(0, 500);
		await page.waitForFunction(() => /"mail":2[123]/.test(sessionStorage.getItem('kept') ?? ''));
		const before = await top();
		assert.ok(before > 100, `${before}`);
		assert.equal(Reflect.get(Object(Reflect.get(Object(await kept()), 'subject')), 'kind'), 'patchset');
		await page.reload();
		await ready(page);
		await page.waitForFunction((wanted) => Math.abs(window.scrollY - wanted) < 2, before);
	});

	test('keeps details unfolded and the focus in place when a response arrives', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const { page } = await open({ connection, ref: world.ref });
		await ready(page);
		await page.locator('.patch details').first().locator('summary').click();
		const quote = page.locator('.letter-text button.fold');
		await quote.click();
		const more = page.locator('.patch').first().getByRole('button', { name: 'View Raw Patch' });
		await more.focus();
		const [answer] = world.world.mails.filter(({ id }) => id === 30);
		assert.ok(answer);
		const envelope = `${answer.envelope}\nAcked-by: linus\n`;
		const another = { ...answer, id: 31, messageId: '<another@forge.test>', envelope };
		world.world.mails.push(another);
		connection.lists.apply({ kind: 'mailArrived', list: world.ref.list, mail: another });
		await page.locator('tbody tr').filter({ hasText: 'linus' }).waitFor();
		assert.equal(await page.locator('.patch details').first().getAttribute('open'), '');
		assert.equal(await quote.getAttribute('aria-expanded'), 'true');
		assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'View Raw Patch');
	});

	test('shows a trailer’s bare name as text, because a button could open another person’s page', async () => {
		const world = patchsetWorld();
		const [answer] = world.world.mails.filter(({ id }) => id === 30);
		assert.ok(answer);
		world.world.mails.push({
			...answer,
			id: 31,
			messageId: '<another@forge.test>',
			envelope: `${answer.envelope}\nAcked-by: linus\n`,
		});
		const { page } = await opened(world);
		await ready(page);
		const row = page.locator('tbody tr').filter({ hasText: 'linus' });
		await row.waitFor();
		assert.equal(await row.locator('button').count(), 1);
	});

	test('updates when the store changes', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const { page } = await open({ connection, ref: world.ref });
		await ready(page);
		const before = connection.lists.knownPatchset(world.ref);
		assert.ok(before);
		connection.lists.apply({
			kind: 'patchsetChanged',
			list: world.ref.list,
			patchset: { ...before, status: 'other:held' },
		});
		await page.getByRole('button', { name: 'held' }).waitFor();
		// The menu offers the unknown status to other patchsets of the list.
		assert.equal(await page.locator('button.status').innerText(), 'held');
	});

	test('keeps an open menu at the same entry when the patchset changes', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const { page } = await open({ connection, ref: world.ref });
		await ready(page);
		await page.locator('button.status').click();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		const entry = await focusedText(page);
		const before = connection.lists.knownPatchset(world.ref);
		assert.ok(before);
		connection.lists.apply({ kind: 'patchsetChanged', list: world.ref.list, patchset: { ...before, version: 7 } });
		await page.locator('button.version').getByText('v7').waitFor();
		assert.ok(await page.getByRole('menuitemradio', { name: entry ?? '' }).isVisible());
		assert.equal(await focusedText(page), entry);
	});

	test('moves to the last menu entry on End and to the first on Home', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		await page.locator('button.status').click();
		const texts = await page.getByRole('menuitemradio').allTextContents();
		await page.keyboard.press('End');
		assert.equal(await focusedText(page), texts.at(-1));
		await page.keyboard.press('Home');
		assert.equal(await focusedText(page), texts[0]);
	});

	test('closes a menu on Escape and returns the focus to its button', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		const status = page.locator('button.status');
		await status.click();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Escape');
		assert.equal(await page.getByRole('menu', { name: 'Set status' }).isVisible(), false);
		assert.ok(await status.evaluate((button) => button === document.activeElement));
	});

	test('unlinks a foreign version without opening it', async () => {
		const { page, asked } = await opened(patchsetWorld());
		await ready(page);
		const row = page.locator('section', { has: page.getByRole('heading', { name: 'Versions' }) }).locator('li');
		await row
			.filter({ hasText: 'v3' })
			.getByRole('button', { name: /^Unlink/ })
			.click();
		await eventually(() => Promise.resolve(asked.filter((name) => name !== 'load')), ['unlinkVersion']);
	});

	test('compares a version with the current one and opens the changes between them', async () => {
		const { page, asked } = await opened(patchsetWorld());
		await ready(page);
		const row = page.locator('section', { has: page.getByRole('heading', { name: 'Versions' }) }).locator('li');
		const first = row.filter({ hasText: 'v1' });
		await first.getByRole('button', { name: /^Compare/ }).click();
		await first.getByRole('button', { name: /^Open Changes/ }).click();
		await eventually(
			() => Promise.resolve(asked.filter((name) => name !== 'load')),
			['compareVersion', 'openVersionChanges'],
		);
	});

	test('marks a patch as viewed, updates the count and keeps the focus', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const { page, asked } = await open({ connection, ref: world.ref });
		await ready(page);
		const button = page.locator('li.patch').first().getByRole('checkbox', { name: 'Viewed fold: find in a tree' });
		assert.equal(await button.isChecked(), false);
		await button.focus();
		await page.keyboard.press('Space');
		await eventually(() => Promise.resolve(asked.filter((name) => name !== 'load')), ['toggleViewed']);
		const { patch } = connection.reviews.known(world.ref)?.series.patches[0] ?? assert.fail();
		await connection.viewed.mark(
			world.ref,
			patch.diff.files.map((file) => fileIdentity(patch.diffText, file)),
			true,
		);
		await eventually(() => button.isChecked(), true);
		assert.match((await page.locator('.diffstat').textContent()) ?? '', /1 of 7 viewed/);
		assert.ok(await button.evaluate((each) => each === document.activeElement));
	});

	test('the box of a patch is mixed while some of its files are viewed', async () => {
		const world = patchsetWorld();
		const connection = listConnection(world.api);
		const { page } = await open({ connection, ref: world.ref });
		await ready(page);
		const patches = connection.reviews.known(world.ref)?.series.patches ?? assert.fail();
		const at = patches.findIndex(({ patch }) => patch.diff.files.length > 1);
		const { patch } = patches[at] ?? assert.fail();
		const marks = patch.diff.files.map((file) => fileIdentity(patch.diffText, file));
		const box = page.locator('li.patch').nth(at).locator('.byline').getByRole('checkbox');
		const state = () => box.evaluate((each: HTMLInputElement) => [each.checked, each.indeterminate]);
		assert.deepEqual(await state(), [false, false]);
		await connection.viewed.mark(world.ref, marks.slice(0, 1), true);
		await eventually(state, [false, true]);
		await connection.viewed.mark(world.ref, marks, true);
		await eventually(state, [true, false]);
	});

	test('links a suggested status to its evidence', async () => {
		const { page } = await opened(patchsetWorld());
		await ready(page);
		await page.locator('.suggestion button.link').click();
		await eventually(executed, ['forge.patchsets.open']);
		assert.equal(Reflect.get(Object(Reflect.get(Object(stubbed.passed[0]), 'ref')), 'id'), 3);
	});

	test('removes patches that no longer exist', async () => {
		const { page, tell } = await opened(patchsetWorld());
		await ready(page);
		tell('changed', { patches: { count: 2, put: [] } });
		await eventually(() => page.locator('.patch').count(), 2);
	});

	test('hostile names neither run, load nor hide text, even without a content security policy', async () => {
		const opening = await opened(patchsetWorld(), { withoutPolicy: true });
		await ready(opening.page);
		assert.deepEqual(await opening.page.evaluate(badNodes), []);
		assert.deepEqual([opening.incidents, opening.foreign], [[], []]);
		assert.ok(!(await opening.page.locator('body').innerText()).includes('\u202E'), deceiving.path);
	});

	test('warns on its row about a patch that git decodes differently, and shows both versions', async () => {
		const world = patchsetWorld();
		const [cover, honest, ...others] = world.world.series.get(2) ?? [];
		assert.ok(cover && honest);
		// The page decodes by the first header, git by the last one.
		const envelope = honest.envelope
			.replace('Content-Type:', 'Content-Transfer-Encoding: quoted-printable\r\nContent-Type:')
			.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: 7bit\r\n\r\n')
			.replace('+\treturn found;', '+\treturn found; /* =2A/ exit(1); // */');
		const mails = [cover, { ...honest, envelope }, ...others];
		world.world.series.set(2, mails);
		world.world.mails.splice(0, mails.length, ...mails);
		const { page, incidents } = await opened(world);
		await ready(page);
		const row = page.locator('.patch').first();
		const cautions = await row.locator('.caution').allInnerTexts();
		assert.match(cautions.join('\n'), /more than one Content-Transfer-Encoding header/);
		assert.match(cautions.join('\n'), /"What git would apply" is not the patch shown here/);
		await row.locator('summary', { hasText: 'What git would apply' }).click();
		await row.getByText('return found; /* =2A/ exit(1); // */').waitFor();
		assert.match(await page.locator('.health').innerText(), /what it would apply is not the patch shown here/);
		assert.deepEqual(incidents, []);
	});

	testInRest('buttons beside the side bar of a window of 320 px keep their words whole', async () => {
		const { page } = await opened(patchsetWorld(), { width: besideSideBar });
		await ready(page);
		await keepPicture(page, 'patchset beside the side bar');
		assert.deepEqual(await brokenWords(page), []);
	});

	for (const theme of axeThemes) {
		// Widths don't depend on the theme.
		for (const look of isWhole(theme) ? [{}, { width: 320 }, { zoom: 2 }] : [{}]) {
			const testLook = theme === axeThemes[0] && !('zoom' in look) ? test : testInRest;
			testLook(`axe reports no violations and nothing overflows, ${theme} ${JSON.stringify(look)}`, async () => {
				const { page } = await opened(patchsetWorld(), { theme, ...look });
				await ready(page);
				await page
					.locator('details')
					.first()
					.evaluate((details) => details.setAttribute('open', ''));
				const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
				assert.ok(wide <= 0, `${wide} pixels too wide`);
				const name = `patchset-${theme}${JSON.stringify(look).replaceAll(/\W/g, '')}`;
				await keepPicture(page, name);
				assert.deepEqual(await axeViolations(page, theme), []);
				await page.locator('button.status').click();
				assert.deepEqual(await axeViolations(page, theme), []);
			});
		}
	}
});
