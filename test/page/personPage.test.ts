import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../src/store/connection.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { contractSuite, type ContractForge } from '../support/contractForge.ts';
import { keptInMemory } from '../support/keptInMemory.ts';
import { noKeptObjects } from '../support/fakeRepositories.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { fakeConnection, keptNames } from '../support/fakeConnection.ts';
import { makeProfile, peopleWorld, type PeopleWorld } from '../support/fakePeople.ts';
import { hostileSpread, inGroups } from '../support/hostileTexts.ts';
import { mailStores } from '../support/mailStores.ts';
import { makeMail, makePatchset } from '../support/makeMail.ts';
import { pausing } from '../support/pageInBrowser.ts';
import { keepPicture } from './support/pagePictures.ts';
import { axeThemes, axeViolations } from './support/axe.ts';
import { personPages } from './support/personPages.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { eventually } from '../support/eventually.ts';
import { journalInMemory } from '../support/journalInMemory.ts';
import { chosenPart, testInBoth, testInRest } from '../support/parts.ts';

function world(): PeopleWorld {
	return peopleWorld(pausing(fakeClock()));
}

/** Waits until the page has no pending request. */
async function atRest(page: Page): Promise<void> {
	await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** Also waits for the bio, because its renderer loads separately. */
async function complete(page: Page): Promise<void> {
	await page.locator('.bio').waitFor();
	await atRest(page);
}

function titles(page: Page, section: string): Promise<readonly string[]> {
	return page.locator(`.part-${section} .row .title`).allTextContents();
}

suite('person page', function () {
	this.timeout(120_000);
	const open = personPages();
	setup(resetStub);

	test('shows every section in order, and rows with their details', async () => {
		const { page, incidents, foreign } = await open({ connection: world().connection, name: '~bob' });
		await atRest(page);
		assert.equal(await page.locator('h1').textContent(), 'bob');
		assert.deepEqual(await page.locator('.profile dd').allTextContents(), [
			'bob@forge.test',
			'https://bob.example',
			'Leeds',
		]);
		assert.equal(await page.locator('.bio strong').textContent(), 'splines');
		assert.deepEqual(await titles(page, 'trackers'), ['parser', 'splines']);
		assert.deepEqual(await titles(page, 'lists'), ['workshop']);
		assert.deepEqual(await titles(page, 'repositories'), ['lathe']);
		assert.deepEqual(await page.locator('.part-patchsets h3').allTextContents(), [
			'Waiting for review 1',
			'Needs revision 1',
			'Done 1',
		]);
		assert.equal(await page.locator('.part-patchsets details').getAttribute('open'), null);
		assert.equal(
			await page.getByRole('button', { name: 'Proposed: Turn the lathe' }).count(),
			1,
			'the state is said in words',
		);
		assert.match((await page.locator('.part-mails .row time').first().getAttribute('title')) ?? '', /20\d\d/);
		assert.deepEqual([incidents, foreign], [[], []]);
	});

	test('shows its structure before any response', async () => {
		const made = world();
		made.lists.before = () => new Promise(() => undefined);
		made.beforeUser = () => new Promise(() => undefined);
		const { page } = await open({ connection: made.connection, name: '~bob' });
		assert.deepEqual(await page.locator('h2').allTextContents(), [
			'Profile',
			'Patchsets',
			'Trackers',
			'Mailing lists',
			'Repositories',
			'Messages',
		]);
		assert.equal(await page.locator('.part-mails .quiet').textContent(), 'Loading…');
	});

	test('opens a row’s object by keyboard, and keeps the focus when an update arrives', async () => {
		const made = world();
		const { page } = await open({ connection: made.connection, name: '~bob' });
		await atRest(page);
		await page.getByRole('button', { name: 'Proposed: Turn the lathe' }).focus();
		await page.keyboard.press('Enter');
		await eventually(() => Promise.resolve(stubbed.executed), ['forge.patchsets.open']);
		const devel = { owner: '~alice', name: 'devel' };
		await made.connection.lists.setStatus({ list: devel, id: 2 }, 'approved', new AbortController().signal);
		await page.getByRole('heading', { name: 'Approved 1' }).waitFor();
		assert.equal(
			await page.evaluate(() => document.activeElement?.textContent),
			'Proposed: Turn the lathe',
			'the keyboard stays where it was',
		);
		assert.deepEqual(stubbed.executed, ['forge.patchsets.open']);
	});

	test('a failed section shows its reason, and a retry loads it', async () => {
		const made = world();
		made.trackers.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		const { page } = await open({ connection: made.connection, name: '~bob' });
		const trackers = page.locator('.part-trackers');
		await trackers.getByText('The forge said: serverError.').waitFor();
		await atRest(page);
		assert.deepEqual(await titles(page, 'repositories'), ['lathe']);
		made.trackers.before = () => undefined;
		await trackers.getByRole('button', { name: 'Try Again' }).click();
		await trackers.getByRole('button', { name: 'parser', exact: true }).waitFor();
	});

	test('shows the reason of a failed action in view until it succeeds', async () => {
		const { env } = await import('vscode');
		const writeText = env.clipboard.writeText.bind(env.clipboard);
		const { page } = await open({ connection: world().connection, name: '~bob' });
		await atRest(page);
		const failure = page.getByRole('alert').filter({ hasText: 'There is no clipboard' });
		const copy = page.getByRole('button', { name: /^~bob,/ });
		env.clipboard.writeText = () => Promise.reject(new Error('There is no clipboard'));
		try {
			await copy.click();
			await failure.waitFor();
		} finally {
			env.clipboard.writeText = writeText;
		}
		await copy.click();
		await failure.waitFor({ state: 'detached' });
	});

	test('follows a tracker in place and shows this in words', async () => {
		const made = world();
		const { page } = await open({ connection: made.connection, name: '~bob' });
		await atRest(page);
		await page.getByRole('button', { name: 'Follow parser' }).click();
		await page.locator('.part-trackers [data-key="~bob/parser"] .mark').getByText('Followed').waitFor();
	});

	test('loads more mails on demand', async () => {
		const made = world();
		// The search for patchsets reads further mails, but fewer than these.
		for (let id = 100; id < 360; id++) {
			made.lists.mails.push(makeMail({ id, subject: `Mail ${id}`, list: made.lists.mails[0]?.list }));
		}
		const { page } = await open({ connection: made.connection, name: '~bob' });
		await page.locator('.part-mails').getByText('Mail 359').waitFor();
		const shown = async (): Promise<number> => (await titles(page, 'mails')).length;
		await atRest(page);
		assert.equal(await shown(), 200);
		await page.locator('.part-mails').getByRole('button', { name: 'Show More' }).click();
		await eventually(shown, 250);
	});

	test('keeps the reason of a failed continuation until the next attempt', async () => {
		const made = world();
		made.trackers.pageSize = 1;
		const { page } = await open({ connection: made.connection, name: '~bob' });
		await atRest(page);
		made.trackers.before = async () => {
			// The page shows the reading state before the result.
			await page.waitForFunction(() => document.querySelector('.part-trackers [aria-busy="true"]') !== null);
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		const trackers = page.locator('.part-trackers');
		await trackers.getByRole('button', { name: 'Show More' }).click();
		await trackers.locator('.failure').getByText('The forge said: serverError.').waitFor();
		await atRest(page);
		assert.ok(await trackers.getByText('The forge said: serverError.').isVisible());
		made.trackers.before = () => undefined;
		await trackers.getByRole('button', { name: 'Show More' }).click();
		await trackers.getByRole('button', { name: 'splines', exact: true }).waitFor();
		assert.equal(await trackers.locator('.failure:visible').count(), 0);
	});

	test('opens at the requested section, with its own texts for the user’s own page', async () => {
		const { page } = await open({ connection: world().connection, name: '~alice', section: 'mails', height: 300 });
		await atRest(page);
		assert.equal(await page.locator('.part-patchsets h2').textContent(), 'Patchsets you sent and their status');
		// The last section may be too short to reach the top.
		assert.ok(
			await page.locator('#mails-title').evaluate((title) => title.getBoundingClientRect().top < window.innerHeight),
		);
		assert.ok(await page.evaluate(() => window.scrollY > 0));
		assert.equal(await page.evaluate(() => document.activeElement?.id), 'mails-title');
		assert.ok(await page.getByText('This is you').isVisible());
	});

	test('restores the scroll position after a reload', async () => {
		const { page, kept } = await open({ connection: world().connection, name: '~bob', height: 300 });
		await complete(page);
		// The editor creates a new frame, where no browser restores the scroll position.
		await page.evaluate(() => (history.scrollRestoration = 'manual'));
		await page.mouse.move(200, 200);
		await page.mouse.wheel(0, 250);
		await page.waitForFunction(() => /"top":[1-9]/.test(sessionStorage.getItem('kept') ?? ''));
		const [, top = ''] = /"top":(\d+)/.exec(JSON.stringify(await kept())) ?? [];
		await page.reload();
		await complete(page);
		assert.ok(Number(top) > 0, top);
		await eventually(() => page.evaluate(() => Math.round(window.scrollY)), Number(top));
	});

	test('sends one request for repeated presses of Follow and Show More', async () => {
		const made = world();
		made.trackers.pageSize = 1;
		const { page, asked } = await open({ connection: made.connection, name: '~bob' });
		await atRest(page);
		for (const name of ['Follow parser', 'Show More']) {
			await page
				.locator('.part-trackers')
				.getByRole('button', { name })
				.evaluate((button: HTMLElement) => {
					// In one turn, before any response can arrive.
					button.click();
					button.click();
				});
		}
		await page.locator('.part-trackers').getByRole('button', { name: 'splines', exact: true }).waitFor();
		await page.locator('.part-trackers [data-key="~bob/parser"] .mark').getByText('Followed').waitFor();
		assert.deepEqual(
			asked.filter((name) => name !== 'load'),
			['keep', 'more'],
		);
	});

	test('does not scroll to the requested section again after a reload or a scroll', async () => {
		const made = world();
		const { page } = await open({ connection: made.connection, name: '~bob', section: 'mails', height: 300 });
		await complete(page);
		const top = (): Promise<number> => page.evaluate(() => Math.round(window.scrollY));
		await page.evaluate(() => {
			window.dispatchEvent(new WheelEvent('wheel'));
			window.scrollTo(0, 40);
		});
		await page.waitForFunction(() => /"top":40\b/.test(sessionStorage.getItem('kept') ?? ''));
		const devel = { owner: '~alice', name: 'devel' };
		await made.connection.lists.setStatus({ list: devel, id: 2 }, 'approved', new AbortController().signal);
		await page.getByRole('heading', { name: 'Approved 1' }).waitFor({ state: 'attached' });
		assert.equal(await top(), 40);
		await page.evaluate(() => (history.scrollRestoration = 'manual'));
		await page.reload();
		await complete(page);
		await eventually(top, 40);
		assert.notEqual(await page.evaluate(() => document.activeElement?.id), 'mails-title');
	});

	test('shows a plain sentence for an unknown person', async () => {
		const { page } = await open({ connection: world().connection, name: '~nobody' });
		await page.getByText('Sample has no account named ~nobody.').waitFor();
		await atRest(page);
		assert.equal(await page.locator('.part:visible').count(), 0);
	});

	for (const [at, texts] of inGroups(hostileSpread(chosenPart() === 'first' ? 20 : 60), 20).entries()) {
		testInBoth(`hostile texts stay text in every field (group ${at + 1})`, async () => {
			const made = world();
			const [first = ''] = texts;
			made.users.set(
				'~bob',
				makeProfile('bob', { email: first, url: first, location: first, bio: texts.join('\n\n') }),
			);
			const list = made.lists.mails[0]?.list;
			const [tracker] = made.trackers.trackers;
			for (const [id, text] of texts.entries()) {
				made.lists.mails.push(makeMail({ id: 60 + id, subject: text, list }));
				made.lists.patchsets
					.get('~alice/devel')
					?.push(makePatchset({ id: 9 + id, subject: text, prefix: text, messageId: `<x${9 + id}@forge.test>` }));
				made.trackers.trackers.push({ ...tracker!, name: `${id}${text.slice(0, 200)}`, description: text });
			}
			const { page, incidents, foreign } = await open({
				connection: made.connection,
				name: '~bob',
				withoutPolicy: true,
			});
			await complete(page);
			assert.ok((await titles(page, 'trackers')).length >= texts.length);
			const bad = await page.evaluate(() =>
				[...document.querySelectorAll('main *')]
					.filter(
						(element) =>
							element.matches('script, img, iframe, object, embed, form, style, link, base, meta') ||
							[...element.attributes].some(
								({ name, value }) => name.startsWith('on') || (name === 'href' && !/^(https?:|mailto:)/.test(value)),
							),
					)
					.map(({ outerHTML }) => outerHTML),
			);
			assert.deepEqual([bad, incidents, foreign], [[], [], []]);
			const seen = (await page.locator('main').textContent()) ?? '';
			assert.doesNotMatch(seen, /[\u202A-\u202E\u2066-\u2069\u200B\u00AD]/);
		});
	}

	for (const theme of axeThemes) {
		const testTheme = theme === axeThemes[0] ? test : testInRest;
		testTheme(`axe reports no violations (${theme})`, async () => {
			const made = world();
			made.repositories.before = () => {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			};
			const { page } = await open({ connection: made.connection, name: '~bob', theme });
			await complete(page);
			await page.locator('.part-patchsets summary').click();
			assert.deepEqual(await axeViolations(page, theme), []);
			await keepPicture(page, `person-${theme}`);
		});
	}

	for (const [what, size] of [
		['320 pixels', { width: 320, height: 700 }],
		['200 %', { width: 900, height: 800, zoom: 2 }],
	] as const) {
		const testSize = size.width === 320 ? test : testInRest;
		testSize(`nothing overflows at ${what}`, async () => {
			const made = world();
			made.users.set(
				'~bob',
				makeProfile('bob', { url: `https://bob.example/${'long'.repeat(40)}`, location: 'x'.repeat(200) }),
			);
			const { page } = await open({ connection: made.connection, name: '~bob', ...size });
			await complete(page);
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
			await keepPicture(page, `person-${what.replaceAll(/\W+/g, '')}`);
		});
	}
});

contractSuite('person page over the wire', {}, ({ dialect, forge }) => {
	suite('in a browser', function () {
		// The default timeout suits responses, not the start of a browser.
		this.timeout(120_000);
		const open = personPages();

		test('shows the forge’s profile, objects, mails and patchsets of another user', async () => {
			const { page } = await open({ connection: connectionTo(forge()), name: '~bob', height: 1400 });
			await complete(page);
			assert.match((await page.locator('.profile').textContent()) ?? '', /bob@.*Leeds.*Syntax trees/);
			assert.ok((await titles(page, 'mails')).length > 3);
			assert.ok((await titles(page, 'patchsets')).length > 2);
			assert.ok((await page.locator('.part-patchsets h3').count()) > 1);
			await keepPicture(page, `person-wire-${dialect}`);
		});

		test('shows the status of the user’s own patchsets', async () => {
			const { page } = await open({
				connection: connectionTo(forge()),
				name: '~alice',
				section: 'patchsets',
				height: 1400,
			});
			await atRest(page);
			await keepPicture(page, `person-own-${dialect}`);
			assert.ok(await page.getByText('This is you').isVisible());
			assert.ok((await titles(page, 'mails')).length > 0);
		});

		test('an address leads to its account, or the page says that there is none', async () => {
			const address = (await forge().as('alice').users.user('lists', '~bob', new AbortController().signal)).email;
			assert.ok(address !== undefined);
			const { page } = await open({ connection: connectionTo(forge()), name: address });
			await atRest(page);
			assert.equal(await page.locator('h1').textContent(), 'bob');
			const { page: other } = await open({ connection: connectionTo(forge()), name: 'nobody@nowhere.example' });
			await atRest(other);
			await other.getByText('has this email address').waitFor();
		});

		test('shows a plain sentence for an unknown name', async () => {
			const { page } = await open({ connection: connectionTo(forge()), name: '~nobody-at-all' });
			await page.getByText('has no account named ~nobody-at-all').waitFor();
		});
	});
});

/** Alice's connection with real stores over the wire. */
function connectionTo(contract: ContractForge): Connection {
	const forge = contract.as('alice');
	const base = fakeConnection(forge.trackers);
	const lists = new ListStore({ journal: base.journal, api: forge.lists, me: forge.me, followed: keptNames() });
	return {
		webhooks: base.webhooks,
		get wholeFiles() {
			return base.wholeFiles;
		},
		key: base.key,
		journal: base.journal,
		outbox: base.outbox,
		outboxSender: base.outboxSender,
		mailOutbox: base.mailOutbox,
		drainMails: base.drainMails,
		instance: contract.instance,
		me: forge.me,
		tickets: base.tickets,
		index: base.index,
		writes: base.writes,
		inbox: base.inbox,
		inboxReadings: base.inboxReadings,
		sentMails: base.sentMails,
		readMarks: base.readMarks,
		lists,
		...mailStores({ lists, forge, clock: pausing(fakeClock()) }),
		repositories: new RepositoryStore({
			journal: journalInMemory(),
			api: forge.repositories,
			me: forge.me,
			followed: keptNames(),
			objects: noKeptObjects,
			pinned: keptInMemory(),
			beginWalk: () => Promise.reject(new Error('Nothing is walked here')),
		}),
	};
}
