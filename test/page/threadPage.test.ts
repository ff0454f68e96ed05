import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { badNodes } from '../support/badNodes.ts';
import { listConnection } from '../support/fakeLists.ts';
import { listsParts } from '../support/fakeListsParts.ts';
import { fakeConnections } from '../support/fakeConnection.ts';
import { deceivingMails } from '../support/hostileMails.ts';
import { makeMail } from '../support/makeMail.ts';
import { makeUser } from '../support/makeTicket.ts';
import { besideSideBar, brokenWords } from './support/brokenWords.ts';
import { keepPicture } from './support/pagePictures.ts';
import { axeThemes, axeViolations } from './support/axe.ts';
import { threadPages, type OpenedThread, type ThreadPageWish } from './support/threadPages.ts';
import { threadWorld } from '../support/threadWorld.ts';
import { restingTop } from './support/restingTop.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { eventually } from '../support/eventually.ts';
import { limitMs } from '../support/pace.ts';
import { testInRest } from '../support/parts.ts';

suite('thread page', function () {
	this.timeout(120_000);
	const open = threadPages();
	setup(() => resetStub());

	function opened(world = threadWorld(), wish: Partial<ThreadPageWish> = {}): Promise<OpenedThread> {
		return open({ connection: listConnection(world.api), ...wish });
	}

	function mail(page: Page, id: number): ReturnType<Page['locator']> {
		return page.locator(`.mail[data-mail="${id}"]`);
	}

	/** The commands run so far. */
	const executed = (): Promise<readonly string[]> => Promise.resolve(stubbed.executed);

	async function ready(page: Page): Promise<void> {
		await mail(page, 6).waitFor();
		await page.waitForFunction(() => !document.body.innerText.includes('Loading the text…'));
	}

	test('shows a pull request above its mail’s text, with links to known forges', async () => {
		const world = threadWorld();
		const text = [
			'Please pull.',
			'',
			`The following changes since commit ${'1'.repeat(40)}:`,
			'',
			'  fold: begin',
			'',
			'are available in the Git repository at:',
			'',
			'  https://git.forge.test/~bob/lantern for-alice',
			'',
			`for you to fetch changes up to ${'2'.repeat(40)}:`,
			'',
		].join('\n');
		world.world.mails.push(makeMail({ id: 9, threadId: 1, parentId: 1, subject: 'Re: Fold', text }));
		const { page, asked } = await opened(world);
		await ready(page);
		const pull = mail(page, 9).locator('.pull');
		assert.deepEqual(await pull.getByRole('link').allInnerTexts(), [
			'https://git.forge.test/~bob/lantern',
			'for-alice',
		]);
		assert.equal(await page.locator('.pull').count(), 1);
		assert.deepEqual(await axeViolations(page), []);
		await keepPicture(page, 'thread-pull');
		await pull.getByRole('link', { name: 'for-alice' }).click();
		await eventually(async () => asked.filter((name) => name === 'follow').length, 1);
		await pull.getByRole('button', { name: 'Compare commits' }).click();
		await pull.getByRole('button', { name: 'Copy Fetch Command' }).click();
		await eventually(executed, [
			'forge.repositories.openFile',
			'forge.lists.openPullChanges',
			'forge.lists.copyFetchCommand',
		]);
	});

	test('offers to fetch a branch from an unknown forge, unless the address contains shell syntax', async () => {
		const world = threadWorld();
		const asks = (repository: string): string =>
			[
				'The following changes since commit 1111111111:',
				'',
				'  x',
				'',
				'are available in the Git repository at:',
				'',
				`  ${repository} for-alice`,
				'',
			].join('\n');
		for (const [id, address] of [
			[9, 'https://git.elsewhere.test/x.git'],
			[10, 'https://git.elsewhere.test/$(x)'],
		] as const) {
			world.world.mails.push(makeMail({ id, threadId: 1, parentId: 1, subject: 'Re: Fold', text: asks(address) }));
		}
		const { page } = await opened(world);
		await ready(page);
		const names = (id: number): Promise<readonly string[]> =>
			mail(page, id).locator('.pull').getByRole('button').allInnerTexts();
		assert.deepEqual([await names(9), await names(10)], [['Fetch…', 'Copy Fetch Command'], []]);
		await mail(page, 9).getByRole('button', { name: 'Copy Fetch Command' }).click();
		await mail(page, 9).getByRole('button', { name: 'Fetch…' }).click();
		await eventually(executed, ['forge.lists.copyFetchCommand', 'forge.lists.fetchPull']);
		assert.equal(Reflect.get(Object(stubbed.passed[0]), 'id'), 9);
	});

	for (const isShort of [false, true]) {
		const form = isShort ? 'short' : 'whole';
		test(`shows the subject once and nests ${form} mails below their parents, with sender, parent and time`, async () => {
			const { page, incidents, foreign } = await opened(threadWorld({ isShort }));
			await ready(page);
			assert.equal(await page.locator('h1').textContent(), '[PATCH lantern 0/1] Fold the ⟨U+202E⟩tree');
			assert.equal(await page.locator('h1 .hidden-character').count(), 1);
			const order = await page
				.locator('.mail')
				.evaluateAll((all) =>
					all.map(
						(each) =>
							`${each.getAttribute('data-mail')}@${(each instanceof HTMLElement && each.style.getPropertyValue('--depth')) || ''}`,
					),
				);
			assert.deepEqual(order, ['1@0', '2@1', '3@2', '4@3', '6@3', '5@1']);
			assert.equal(await mail(page, 1).locator('.who').innerText(), 'Bob Builder <bob@forge.test> ~bob');
			// Until the parent mail is loaded, its account name appears here.
			await mail(page, 3).locator('header').getByText('in reply to Bob Builder').waitFor();
			assert.equal(
				await mail(page, 2).locator('.mail-subject').innerText(),
				'[PATCH lantern 1/1] fold: find in a tree',
			);
			// Replies repeat the subject.
			assert.equal(await mail(page, 3).locator('.mail-subject').count(), 0);
			assert.equal(await mail(page, 5).locator('.mail-subject').count(), 0);
			assert.match((await mail(page, 3).locator('time').getAttribute('title')) ?? '', /2023/);
			assert.deepEqual([incidents, foreign], [[], []]);
		});
	}

	test('folds a quote into one line with its length, and unfolds it by click and by key', async () => {
		const { page } = await opened();
		await ready(page);
		const quotes = mail(page, 3).locator('.quote');
		assert.equal(await quotes.count(), 2);
		assert.equal(await quotes.first().locator('button span').nth(1).innerText(), '6 quoted lines');
		assert.equal(await quotes.first().locator('blockquote').count(), 0);
		await quotes.first().getByRole('button').click();
		assert.match(await quotes.first().locator('blockquote').innerText(), /Find in a tree\.[\s\S]*deeper/);
		await page.keyboard.press('Enter');
		assert.equal(await quotes.first().locator('blockquote').isVisible(), false);
		assert.equal(await quotes.first().getByRole('button').getAttribute('aria-expanded'), 'false');
		assert.equal(await quotes.nth(1).locator('blockquote').innerText(), '+three');
	});

	test('stores wrapping and unfolding for all threads', async () => {
		const connection = listConnection(threadWorld().api);
		const parts = listsParts(fakeConnections(connection));
		const first = await open({ connection, parts });
		await ready(first.page);
		const wrap = first.page.getByRole('button', { name: 'Wrap lines' });
		assert.equal(await wrap.getAttribute('aria-pressed'), 'true');
		const height = (): Promise<number> =>
			mail(first.page, 3)
				.locator('.mail-body')
				.evaluate((body) => body.getBoundingClientRect().height);
		const wrapped = await height();
		await wrap.click();
		assert.ok((await height()) < wrapped);
		await first.page.getByRole('button', { name: 'Unfold quotes' }).click();
		assert.equal(await mail(first.page, 3).locator('blockquote:visible').count(), 2);
		await eventually(() => Promise.resolve(parts.threadLook.now()), { areLinesWrapped: false, areQuotesOpen: true });
		const second = await open({ connection, parts });
		await ready(second.page);
		assert.equal(await second.page.getByRole('button', { name: 'Wrap lines' }).getAttribute('aria-pressed'), 'false');
		assert.equal(await mail(second.page, 3).locator('blockquote:visible').count(), 2);
	});

	test('says nothing about accounts of senders in an archive', async () => {
		const world = threadWorld();
		world.world.mails.forEach((each, at) => {
			world.world.mails[at] = { ...each, sender: undefined, from: 'Ann <ann@a.example>' };
		});
		const connection = listConnection(world.api);
		const instance = { ...connection.instance, archiveUrl: 'https://lore.example/' };
		const { page } = await open({ connection: { ...connection, instance } });
		await ready(page);
		assert.ok((await page.locator('.who').count()) > 4);
		assert.doesNotMatch(await page.locator('body').innerText(), /no account|without an account/);
	});

	test('links a diff to the native diff, with its statistics', async () => {
		const { page } = await opened();
		await ready(page);
		const diff = mail(page, 2).locator('.diff');
		assert.match(
			await diff.locator('.diff-head').innerText(),
			/Open Diff\s*2 files\s*2 lines added, 1 removed\s*\+2 −1/,
		);
		assert.match(await diff.locator('li').nth(1).innerText(), /^old\.c → new\.c renamed/);
		assert.doesNotMatch(await mail(page, 2).innerText(), /\+three/);
		await diff.getByRole('button', { name: 'src/fold.c' }).click();
		await diff.getByRole('button', { name: 'Open Diff' }).click();
		await eventually(executed, ['forge.patchsets.openDiff', 'forge.patchsets.openDiff']);
		const list = { owner: '~alice', name: 'devel' };
		assert.deepEqual(stubbed.passed, [
			{ kind: 'patchFile', connectionKey: 'sample-alice', list, patchsetId: 5, mailId: 2, fileIndex: 0 },
			{ kind: 'mail', connectionKey: 'sample-alice', list, id: 2, messageId: '<m2@forge.test>' },
		]);
	});

	test('shows a deceptive sender with address and warning, and hidden characters as pills', async () => {
		const { page, incidents } = await opened();
		await ready(page);
		assert.equal(
			await mail(page, 4).locator('.who').innerText(),
			'alice@forge.test <mallory@elsewhere.test> no account',
		);
		const cautions = await mail(page, 4).locator('.caution').allInnerTexts();
		assert.equal(cautions.length, 2);
		assert.match(cautions[0] ?? '', /alice@forge\.test/);
		assert.equal(await mail(page, 4).locator('.mail-body .hidden-character').innerText(), '⟨U+200B⟩');
		assert.match(await mail(page, 4).locator('.mail-body').innerText(), /<script>incident\("x"\)<\/script>/);
		assert.deepEqual(incidents, []);
	});

	test('lists attachments, saves them only on request, and opens only texts', async () => {
		const { page, foreign } = await opened();
		await ready(page);
		const rows = mail(page, 5).locator('.attachments li');
		assert.deepEqual(await rows.allInnerTexts(), [
			'run.log text/x-log · 8 bytes Save… Open as Text',
			'../evil.png.exe image/png · 8 bytes Save…',
		]);
		stubbed.answers.push('/home/alice/picked.png');
		await rows.nth(1).getByRole('button', { name: 'Save…' }).click();
		await eventually(async () => stubbed.written.length, 1);
		assert.match(stubbed.written[0]?.[1] ?? '', /PNG/);
		assert.deepEqual(foreign, []);
	});

	test('links people, patchset and mails to their pages', async () => {
		const { page } = await opened();
		await ready(page);
		await page.getByRole('button', { name: /^Patchset v2/ }).click();
		await mail(page, 4).locator('.who button.person').click();
		await mail(page, 3).locator('button.person').first().click();
		await mail(page, 2).getByRole('link', { name: '~alice/lantern#12' }).click();
		const led = ['forge.patchsets.open', 'forge.people.open', 'forge.people.open', 'forge.tickets.open'];
		await eventually(executed, led);
		await mail(page, 2).getByRole('link', { name: 'https://forge.test/why' }).click();
		await eventually(() => Promise.resolve(stubbed.opened), ['https://forge.test/why']);
		assert.deepEqual(stubbed.executed, led);
		assert.deepEqual(
			stubbed.passed.map((each): unknown => Reflect.get(Object(each), 'name')),
			[undefined, 'mallory@elsewhere.test', '~carol', undefined],
		);
	});

	test('opens at the first unread mail, unless another one is requested', async () => {
		const world = threadWorld();
		const connection = listConnection(world.api);
		await connection.lists.thread({ owner: '~alice', name: 'devel' }, 1, new AbortController().signal);
		connection.threadReadMarks.lastSeenEventId = () => 4;
		const { page } = await open({ connection, height: 300 });
		await page.waitForFunction(() => document.querySelector('.target')?.getAttribute('data-mail') === '6');
		const named = await open({ connection, height: 300, entry: 2 });
		await named.page.waitForFunction(() => document.querySelector('.target')?.getAttribute('data-mail') === '2');
	});

	test('has a box at the end for a reply to the first mail, and one at the mail in front', async () => {
		const { page, tell } = await opened();
		await ready(page);
		const end = page.locator('.reply-end textarea');
		assert.equal(await end.inputValue(), '');
		assert.equal(await end.getAttribute('placeholder'), 'Reply to the first message');
		await mail(page, 3).locator('article').focus();
		tell('reply', undefined);
		await mail(page, 3).locator('textarea').waitFor();
		assert.ok(
			await mail(page, 3)
				.locator('textarea')
				.evaluate((box) => box === document.activeElement),
		);
		assert.deepEqual(await axeViolations(page), []);
		await page.keyboard.press('Escape');
		await mail(page, 3).locator('textarea').waitFor({ state: 'detached' });
	});

	test('counts the receivers beyond the listed ones', async () => {
		const world = threadWorld();
		const to = Array.from({ length: 53 }, (_, at) => `p${at}@forge.test`).join(',\r\n ');
		const envelope = `From: Dora <dora@forge.test>\r\nTo: ${to}\r\nSubject: Hi\r\n\r\nHi`;
		world.world.mails.push(makeMail({ id: 9, threadId: 1, parentId: 1, envelope }));
		const { page } = await opened(world);
		await ready(page);
		await mail(page, 9).getByRole('button', { name: 'Actions' }).click();
		assert.match(
			await mail(page, 9).locator('.receivers').first().innerText(),
			/^To: p0@.*p49@forge\.test and 3 more$/,
		);
	});

	test('copies Message-ID and link, and opens the mail on the web and as a document', async () => {
		const { page } = await opened();
		await ready(page);
		await mail(page, 3).getByRole('button', { name: 'Actions' }).click();
		await mail(page, 3).getByRole('button', { name: 'Copy Message-ID' }).click();
		await mail(page, 3).getByRole('button', { name: 'Copy Link' }).click();
		await eventually(
			() => Promise.resolve(stubbed.copied),
			['<m3@forge.test>', 'https://lists.forge.test/~alice/devel/%3Cm3%40forge.test%3E'],
		);
		await mail(page, 3).getByRole('button', { name: 'Open on the Web' }).click();
		await mail(page, 3).getByRole('button', { name: 'Open as Document' }).click();
		await mail(page, 3).getByRole('button', { name: 'New Message to List…' }).click();
		await eventually(executed, ['forge.openOnWeb', 'forge.lists.openMail', 'forge.lists.newMail']);
		assert.deepEqual(stubbed.passed.at(-1), {
			kind: 'list',
			connectionKey: 'sample-alice',
			ref: { owner: '~alice', name: 'devel' },
		});
	});

	test('opens with the named mail in view, focused and marked; next and previous move on', async () => {
		const { page, tell, want } = await opened(threadWorld(), { entry: 6, height: 400 });
		await ready(page);
		const focused = (): Promise<string | undefined> =>
			page.evaluate(() => document.activeElement?.closest('.mail')?.getAttribute('data-mail') ?? undefined);
		assert.equal(await focused(), '6');
		assert.ok(await mail(page, 6).locator('article').isVisible());
		await page.waitForFunction(() => {
			const top = document.querySelector('.mail.target')?.getBoundingClientRect().top ?? -1;
			return top >= 0 && top < window.innerHeight;
		});
		await page.getByRole('button', { name: 'Next Message' }).click();
		assert.equal(await focused(), '5');
		tell('step', 'previous');
		await page.waitForFunction(() => document.activeElement?.closest('.mail')?.getAttribute('data-mail') === '6');
		want(2);
		await page.waitForFunction(() => document.querySelector('.target')?.getAttribute('data-mail') === '2');
	});

	test('commands act on the framed mail: the named one, then the clicked one, then the one scrolled to', async () => {
		const { page, marks } = await opened(threadWorld(), { entry: 6, height: 300 });
		await ready(page);
		const list = { owner: '~alice', name: 'devel' };
		const marked = async (): Promise<unknown> => [
			marks.at(-1),
			await page.locator('.target').evaluateAll((all) => all.map((each) => Number(each.getAttribute('data-mail')))),
		];
		const isMarked = (id: number): Promise<void> =>
			eventually(marked, [
				{ kind: 'mail', connectionKey: 'sample-alice', list, id, messageId: `<m${id}@forge.test>` },
				[id],
			]);
		await isMarked(6);
		await mail(page, 3).locator('.mail-head').click();
		await isMarked(3);
		await page.mouse.wheel(0, -100_000);
		await isMarked(1);
	});

	test('hides and shows replies, remembers this, and still shows a named mail', async () => {
		const { page, want, kept } = await opened();
		await ready(page);
		await mail(page, 2).getByRole('button', { name: 'Hide Replies' }).click();
		assert.deepEqual(
			await page.locator('.mail:visible').evaluateAll((all) => all.map((each) => each.getAttribute('data-mail'))),
			['1', '2', '5'],
		);
		assert.match(await mail(page, 2).innerText(), /3 replies hidden/);
		assert.deepEqual(Reflect.get(Object(await kept()), 'collapsed'), [2]);
		await page.reload();
		await mail(page, 5).waitFor();
		await page.waitForFunction(() => document.querySelectorAll('.mail:not([hidden])').length === 3);
		want(4);
		await mail(page, 4).waitFor();
		assert.ok(await mail(page, 4).isVisible());
	});

	test('moves to the next visible mail', async () => {
		const { page } = await opened();
		await ready(page);
		await mail(page, 2).getByRole('button', { name: 'Hide Replies' }).click();
		await page.getByRole('button', { name: 'Next Message' }).click();
		const focused = (): Promise<string | null | undefined> =>
			page.evaluate(() => document.activeElement?.closest('.mail')?.getAttribute('data-mail'));
		assert.equal(await focused(), '5');
		await page.getByRole('button', { name: 'Previous Message' }).click();
		assert.equal(await focused(), '2');
	});

	test('keeps quotes unfolded when the wrapping changes', async () => {
		const { page } = await opened();
		await ready(page);
		const quote = mail(page, 3).locator('.quote button').first();
		await quote.click();
		await page.getByRole('button', { name: 'Wrap lines' }).click();
		assert.equal(await page.locator('main.no-wrap').count(), 1);
		assert.equal(await quote.getAttribute('aria-expanded'), 'true');
	});

	test('a named mail takes the focus once, and not again when others arrive', async () => {
		const world = threadWorld();
		const connection = listConnection(world.api);
		const { page } = await open({ connection, entry: 6 });
		await ready(page);
		await page.locator('.mail.target').waitFor();
		const wrap = page.getByRole('button', { name: 'Wrap lines' });
		await wrap.focus();
		const arrived = makeMail({ id: 9, threadId: 1, parentId: 4, subject: 'Re: Fold', text: 'Just in.' });
		world.world.mails.push(arrived);
		connection.lists.apply({ kind: 'mailArrived', list: { owner: '~alice', name: 'devel' }, mail: arrived });
		await mail(page, 9).getByText('Just in.').waitFor();
		assert.ok(await wrap.evaluate((button) => button === document.activeElement));
	});

	test('does not scroll to a restored mail that arrives after the user has scrolled', async () => {
		const world = threadWorld();
		const connection = listConnection(world.api);
		const kept = { collapsed: [], place: { mail: 9, top: 50 } };
		const { page } = await open({ connection, kept, height: 300 });
		await ready(page);
		await page.evaluate(() => {
			window.dispatchEvent(new WheelEvent('wheel'));
			window.scrollTo(0, 30);
		});
		const arrived = makeMail({ id: 9, threadId: 1, parentId: 6, subject: 'Re: Fold', text: 'Just in.' });
		world.world.mails.push(arrived);
		connection.lists.apply({ kind: 'mailArrived', list: { owner: '~alice', name: 'devel' }, mail: arrived });
		await mail(page, 9).getByText('Just in.').waitFor({ state: 'attached' });
		await restingTop(mail(page, 9));
		assert.equal(await page.evaluate(() => window.scrollY), 30);
	});

	test('marks mails since the last visit as new, and records them as seen', async () => {
		const world = threadWorld();
		const connection = listConnection(world.api);
		const thread = { list: { owner: '~alice', name: 'devel' }, id: 1 };
		connection.threadReadMarks.look({ ...thread, isOwn: false, updatedMs: 0 }, 4);
		const { page } = await open({ connection });
		await ready(page);
		assert.deepEqual(
			await page.locator('.fresh-mail').evaluateAll((all) => all.map((each) => each.getAttribute('data-mail'))),
			['6', '5'],
		);
		assert.equal(await mail(page, 6).locator('.fresh').innerText(), 'new');
		await eventually(() => Promise.resolve(connection.threadReadMarks.lastSeenEventId(thread)), 6);
		assert.equal(await page.locator('.fresh-mail').count(), 2);
	});

	test('inserts a new mail at its place and keeps the state of the others', async () => {
		const world = threadWorld();
		const connection = listConnection(world.api);
		const { page } = await open({ connection });
		await ready(page);
		// Mails that arrive before the first view don't count as new.
		const thread = { list: { owner: '~alice', name: 'devel' }, id: 1 };
		await eventually(() => Promise.resolve(connection.threadReadMarks.lastSeenEventId(thread)), 6);
		await mail(page, 3).locator('.quote button').click();
		const arrived = makeMail({
			id: 9,
			threadId: 1,
			parentId: 4,
			subject: 'Re: Fold',
			sender: makeUser('bob'),
			text: 'Just in.',
		});
		world.world.mails.push(arrived);
		connection.lists.apply({ kind: 'mailArrived', list: thread.list, mail: arrived });
		await mail(page, 9).getByText('Just in.').waitFor();
		const order = await page.locator('.mail').evaluateAll((all) => all.map((each) => each.getAttribute('data-mail')));
		assert.deepEqual(order, ['1', '2', '3', '4', '9', '6', '5']);
		assert.ok(await mail(page, 3).locator('blockquote').first().isVisible());
		assert.ok(await mail(page, 9).locator('.fresh').isVisible());
	});

	test('an unreadable mail shows its reason, and a retry loads it', async () => {
		const world = threadWorld({ isShort: true });
		let fails = true;
		world.world.before = (call) => {
			if (fails && call === 'email 3') {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const { page } = await opened(world);
		await mail(page, 3).locator('.failure').waitFor();
		await mail(page, 6).getByText('Another matter.').waitFor();
		assert.match(await mail(page, 3).locator('.failure').innerText(), /notAllowed/);
		fails = false;
		await mail(page, 3).getByRole('button', { name: 'Try Again' }).click();
		await mail(page, 3).getByText('Why three?').waitFor();
	});

	test('keeps a mail’s unfolded quote and the focus when its parent arrives later', async () => {
		const world = threadWorld({ isShort: true });
		const answered = Promise.withResolvers<void>();
		world.world.before = (call) => (call === 'email 2' ? answered.promise : undefined);
		const { page } = await opened(world);
		const header = mail(page, 3).locator('header');
		await header.getByText('in reply to ~bob').waitFor();
		const fold = mail(page, 3).locator('.quote button');
		await fold.click();
		answered.resolve();
		await header.getByText('in reply to Bob Builder').waitFor();
		assert.equal(await fold.getAttribute('aria-expanded'), 'true');
		assert.ok(await fold.evaluate((button) => button === document.activeElement));
	});

	test('an unreadable thread shows its reason, and a retry loads it', async () => {
		const world = threadWorld();
		let fails = true;
		world.world.before = (call) => {
			if (fails && call.startsWith('thread')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		const { page } = await opened(world);
		await page.getByRole('alert').getByText('notFound').waitFor();
		fails = false;
		await page.getByRole('button', { name: 'Try Again' }).click();
		await ready(page);
	});

	test('shows a mail over a megabyte raw, and parses it on request after any number of failures', async () => {
		const world = threadWorld();
		const at = world.world.mails.findIndex(({ id }) => id === 6);
		world.world.mails[at] = {
			...world.world.mails[at]!,
			envelope: `From: Dora <dora@forge.test>\r\n\r\nRead me\r\n${'x '.repeat(600_000)}`,
		};
		const { page, connections } = await opened(world);
		await ready(page);
		assert.match(await mail(page, 6).locator('.raw').innerText(), /larger than 1 MB/);
		assert.match(await mail(page, 6).locator('.cut').innerText(), /more characters in the document\. Open as Document/);
		const [reader] = connections.all();
		assert.ok(reader);
		const { texts } = reader;
		const readWhole = texts.readWhole.bind(texts);
		Object.assign(texts, { readWhole: () => Promise.reject(new ForgeError({ kind: 'notAllowed' })) });
		const read = mail(page, 6).getByRole('button', { name: 'Parse Anyway' });
		await read.click();
		await mail(page, 6).locator('.raw .failure').getByText('notAllowed').waitFor();
		Object.assign(texts, { readWhole });
		await read.click();
		// Until then only the account name is there, which resembles the sender's name.
		await mail(page, 6).locator('.who').getByText('<dora@forge.test>').waitFor();
		assert.equal(await mail(page, 6).locator('.raw').count(), 0);
	});

	test('closes when its account signs out', async () => {
		const { page, connections, isClosed } = await opened();
		await ready(page);
		connections.replace();
		assert.ok(isClosed());
	});

	test('a hostile mail neither runs, loads nor hides text, even without a content security policy', async () => {
		const world = threadWorld();
		Object.values(deceivingMails).forEach((envelope, at) => {
			const id = 100 + at;
			const subject = `Re: \u202E${at}<img src=x onerror=incident(1)>`;
			world.world.mails.push(
				makeMail({ id, threadId: 1, parentId: 1, subject, sender: makeUser('<b>x</b>\u200B'), envelope }),
			);
		});
		const { page, incidents, foreign } = await opened(world, { withoutPolicy: true });
		await ready(page);
		await page.waitForFunction(() => !document.body.innerText.includes('Loading the text…'));
		assert.deepEqual(await page.evaluate(badNodes), []);
		assert.doesNotMatch(
			await page.locator('main').evaluate((main) => main.textContent ?? ''),
			/[\u200B\u202A-\u202E\u2066-\u2069]/u,
		);
		assert.deepEqual([incidents, foreign], [[], []]);
	});

	for (const theme of axeThemes) {
		const testTheme = theme === axeThemes[0] ? test : testInRest;
		testTheme(`axe reports no violations in ${theme}`, async () => {
			const connection = listConnection(threadWorld().api);
			connection.threadReadMarks.look(
				{ list: { owner: '~alice', name: 'devel' }, id: 1, isOwn: false, updatedMs: 0 },
				4,
			);
			const { page } = await open({ connection, theme, entry: 3 });
			await ready(page);
			await mail(page, 3).locator('.quote button').click();
			await mail(page, 3).getByRole('button', { name: 'Actions' }).click();
			await keepPicture(page, `thread-${theme}`);
			assert.deepEqual(await axeViolations(page, theme), []);
		});
	}

	for (const look of [{ width: 320 }, { width: 900, zoom: 2 }]) {
		const testLook = look.width === 320 ? test : testInRest;
		testLook(`nothing overflows at ${look.width} px${look.zoom === 2 ? ' and 200 %' : ''}`, async () => {
			const { page } = await opened(threadWorld(), look);
			await ready(page);
			await page.getByRole('button', { name: 'Unfold quotes' }).click();
			const wide = await page.evaluate(
				() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
			);
			assert.equal(wide, 0);
		});
	}

	testInRest('buttons beside the side bar of a window of 320 px keep their words whole', async () => {
		const { page } = await opened(threadWorld(), { width: besideSideBar });
		await ready(page);
		await page.getByRole('button', { name: 'Actions' }).first().click();
		await keepPicture(page, 'thread beside the side bar');
		assert.deepEqual(await brokenWords(page), []);
	});

	testInRest('opens a thread of five hundred mails in time', async () => {
		const world = threadWorld({ isShort: true });
		for (let id = 1000; id < 1500; id += 1) {
			const parentId = id % 7 === 0 ? 1 : id - 1 < 1000 ? 1 : id - 1;
			world.world.mails.push(
				makeMail({
					id,
					threadId: 1,
					parentId,
					subject: 'Re: Fold',
					text: `> quote\r\n> ${id}\r\n\r\nMail ${id} says so.`,
				}),
			);
		}
		const { page } = await opened(world);
		await mail(page, 1499)
			.getByText('Mail 1499 says so.')
			.waitFor({ state: 'attached', timeout: limitMs(90_000) });
		assert.equal(await page.locator('.mail').count(), 506);
	});
});
