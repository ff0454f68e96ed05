import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isRecord } from '../../src/editor/commands/subjects.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Ticket, TicketEvent } from 'sourcehut/port/ticket.ts';
import type { Label } from 'sourcehut/port/tracker.ts';
import type { Participant } from 'sourcehut/port/user.ts';
import { visible, visibleLine } from '../../src/engine/text/visible.ts';
import { badNodes } from '../support/badNodes.ts';
import { runsAll } from '../support/counts.ts';
import { fakeConnection, fakeConnections } from '../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../support/fakeForge.ts';
import { hostileFamilies, hostileSpread, hostileTexts, inGroups, plainHostileTexts } from '../support/hostileTexts.ts';
import { makeComment, makeEvent, makeLabel, makeTicket, makeTracker } from '../support/makeTicket.ts';
import type { PageInBrowser, PageWish } from './support/ticketPageInBrowser.ts';
import { ticketPages } from './support/ticketPages.ts';
import { eventually } from '../support/eventually.ts';
import { chosenPart, testInBoth, testInRest } from '../support/parts.ts';

const { suggestions } = await import('../../src/features/tickets/page/suggestions.ts');

const tracker = { owner: '~alice', name: 'alpha' };
const subject = { kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker, id: 12 } } as const;

/** Texts per page: few enough to render at once, many enough for a short run. */
const groupSize = 100;

/** A ticket with `text` in every remote field. */
function hostileTicket(text: string, submitter: Participant): Ticket {
	const person = { canonicalName: text, name: text };
	return makeTicket({
		title: text,
		description: text,
		status: `other:${text}`,
		resolution: `other:${text}`,
		labels: [text, 'known'],
		submitter,
		assignees: [person, person],
		ref: text,
		tracker: makeTracker({ name: text, owner: person, description: text }),
		permissions: { anonymous: [], submitter: [], user: [`other:${text}`] },
		extra: [{ name: text, json: JSON.stringify(text) }],
	});
}

/** All kinds of participants with this text. */
function people(text: string): readonly Participant[] {
	return [
		{ kind: 'user', canonicalName: text, name: text },
		{ kind: 'email', address: text, name: text },
		{ kind: 'email', address: text, name: undefined },
		{ kind: 'external', externalId: text, externalUrl: text },
		{ kind: 'external', externalId: 'hub:erin', externalUrl: `https://evil.test/${text}` },
	];
}

/** Events with the text in every field of a timeline. */
function hostileEvents(text: string, from: number): readonly TicketEvent[] {
	const person = { canonicalName: text, name: text };
	const other = { id: 3, ref: text, title: text, tracker: makeTracker({ name: text, owner: person }) };
	const [user] = people(text);
	const rest: readonly Partial<TicketEvent>[] = [
		{ kinds: ['label_added', 'label_removed'], labels: [text, text], user },
		{ kinds: ['status_change'], oldStatus: `other:${text}`, newStatus: `other:${text}`, user },
		{ kinds: ['status_change'], newStatus: 'resolved', newResolution: `other:${text}` },
		{ kinds: ['assigned_user', 'unassigned_user'], user, byUser: { kind: 'email', address: text, name: text } },
		{ kinds: ['ticket_mentioned', 'user_mentioned'], fromTicket: other, ticket: { ...other, id: 4 }, user },
		{ kinds: [`other:${text}`] },
		{ kinds: ['comment', 'status_change', 'label_added'], comment: makeComment(text), labels: [text] },
	];
	return [
		...people(text).map((by) => ({
			kinds: ['comment'] as const,
			user: by,
			byUser: by,
			comment: makeComment(text, { submitter: by }),
		})),
		...rest,
	].map((event, at) => makeEvent({ id: from + at, ...event }));
}

const eventsPerText = 12;
suite('hostile texts on the ticket page', function () {
	this.timeout(900_000);
	const openPage = ticketPages();
	let open: PageInBrowser | undefined;
	const spread = hostileSpread(chosenPart() === 'first' ? 30 : 90);
	const texts = runsAll() ? hostileTexts : spread;
	const plain = runsAll() ? plainHostileTexts : spread;

	/** A tracker with the ticket of the page. */
	function quietWorld(): FakeTrackers {
		const forge = fakeTrackers();
		forge.world.pageSize = 10_000;
		forge.world.trackers.push(makeTracker());
		forge.world.tickets.set('~alice/alpha', [makeTicket()]);
		return forge;
	}

	async function show({ api }: FakeTrackers, wish: Partial<PageWish> = {}): Promise<PageInBrowser> {
		await open?.close();
		open = await openPage({ connections: fakeConnections(fakeConnection(api)), subject, ...wish });
		return open;
	}

	/** Checks that nothing ran, loaded or rendered unexpectedly. */
	async function assertClean({ page, incidents, foreign, followed }: PageInBrowser, about?: string): Promise<void> {
		assert.deepEqual(await page.evaluate(badNodes), [], about);
		assert.deepEqual(incidents, [], about);
		assert.deepEqual(foreign, [], about);
		assert.deepEqual(followed, [], about);
		assert.equal(page.url(), 'https://page.test/', about);
	}

	test('the collection has at least 400 distinct hostile texts', () => {
		assert.ok(plainHostileTexts.length >= 400, String(plainHostileTexts.length));
		assert.equal(new Set(plainHostileTexts).size, hostileFamilies.flatMap((family) => family.texts).length);
		assert.equal(new Set(hostileFamilies.map(({ name }) => name)).size, hostileFamilies.length);
		for (const { name, texts: ofFamily } of hostileFamilies) {
			assert.ok(
				ofFamily.some((text) => hostileSpread(90).includes(text)),
				name,
			);
		}
	});

	for (const withoutPolicy of [false, true]) {
		const where = withoutPolicy ? ', even on a page without its policy' : '';

		testInBoth(`no field of the timeline runs, loads or renders a text as markup${where}`, async () => {
			for (const group of inGroups(withoutPolicy ? plain : texts, groupSize)) {
				const forge = quietWorld();
				forge.world.events.set(
					'~alice/alpha#12',
					group.flatMap((text, at) => hostileEvents(text, 1 + at * eventsPerText)).toReversed(),
				);
				const { page } = await show(forge, { withoutPolicy });
				// Entries arrive in slices.
				await eventually(() => page.locator('.entry').count(), group.length * eventsPerText);
				await assertClean(open!, group[0]);
			}
		});
	}

	testInBoth('no field of the ticket itself does', async () => {
		const forge = quietWorld();
		const connection = fakeConnection(forge.api);
		const page = await show({ ...forge, world: quietWorld().world }, { connections: fakeConnections(connection) });
		let at = 0;
		for (const text of plain) {
			const submitters = people(text);
			const ticket = { ...hostileTicket(text, submitters[at % submitters.length]!), tracker: makeTracker() };
			at += 1;
			connection.tickets.apply({ kind: 'ticketChanged', ticket: { ...ticket, createdMs: at * 60_000 } });
			await page.page.waitForSelector(`.byline time[datetime="${new Date(at * 60_000).toISOString()}"]`);
			await assertClean(page, text);
			assert.equal(await page.page.locator('h1').textContent(), visibleLine(text));
		}
	});

	testInBoth('no name or colour of a label does', async () => {
		for (const group of inGroups(plain, groupSize)) {
			const forge = quietWorld();
			const labels = group.flatMap((text, at): readonly Label[] => [
				makeLabel(text),
				makeLabel(`background ${at}`, text),
				makeLabel(`text ${at}`, '#102030', text),
				makeLabel(`both ${at}`, `#102030;${text}`, `#fff${text}`),
			]);
			forge.world.labels.set('~alice/alpha', [...labels]);
			forge.world.tickets.set('~alice/alpha', [makeTicket({ labels: labels.map(({ name }) => name) })]);
			const { page } = await show(forge, { withoutPolicy: true });
			// Names arrive with the ticket, colours when the page has read the tracker's labels.
			await page.locator('.labels .label:not(.plain)').first().waitFor();
			assert.ok((await page.locator('.label').count()) >= labels.length);
			await assertClean(open!, group[0]);
		}
	});

	testInRest('no suggestion of labels, people or tickets does', async () => {
		for (const group of inGroups(plain, groupSize)) {
			const forge = quietWorld();
			const tickets = group.flatMap((text, at) =>
				people(text).map((submitter, each) => ({
					...hostileTicket(text, submitter),
					id: 1000 + at * 10 + each,
					tracker: makeTracker(),
				})),
			);
			forge.world.labels.set(
				'~alice/alpha',
				group.map((text) => makeLabel(text, text, text)),
			);
			forge.world.tickets.set('~alice/alpha', [makeTicket({ labels: [...group] }), ...tickets]);
			forge.world.events.set(
				'~alice/alpha#12',
				group.flatMap((text, at) => hostileEvents(text, 1 + at * eventsPerText)),
			);
			const connection = fakeConnection(forge.api);
			// The page suggests only cached objects.
			await connection.tickets.tickets(tracker, new AbortController().signal);
			const { page } = await show(forge, { connections: fakeConnections(connection), withoutPolicy: true });
			await eventually(() => page.locator('.entry').count(), group.length * eventsPerText);
			await page.getByRole('button', { name: 'Edit Labels' }).click();
			await page.getByRole('dialog').getByRole('option').first().waitFor();
			await assertClean(open!, group[0]);
			await page.keyboard.press('Escape');
			const offered = new Set<string>();
			for (const typed of ['~', '~s', '~x', '#', '#1', '#10']) {
				await page.getByRole('textbox', { name: 'Your comment' }).fill('');
				await page.getByRole('textbox', { name: 'Your comment' }).pressSequentially(typed);
				const kind = typed.startsWith('~') ? 'person' : 'ticket';
				const inserts = suggestions(connection, subject.ref, { kind, text: typed.slice(1) }).map(
					({ insert }) => insert,
				);
				await eventually(() => page.locator('.suggestions .insert').allInnerTexts(), inserts);
				await assertClean(open!, `${typed} ${group[0]}`);
				inserts.forEach((text) => offered.add(text));
			}
			assert.ok(offered.has('~alice'));
			assert.ok([...offered].some((text) => text.startsWith('#')));
			assert.deepEqual(
				[...offered].filter((text) => !/^(?:#\d+|~[\w-]+)$/.test(text)),
				[],
			);
		}
	});

	testInBoth('no reason of a failure does', async () => {
		for (const group of inGroups(plain, groupSize)) {
			const forge = quietWorld();
			const refused = new ForgeError({
				kind: 'invalid',
				errors: group.map((text) => ({ field: text, reason: text })),
			});
			forge.world.before = (call) => {
				if (call.startsWith('update') || call.startsWith('events')) {
					throw refused;
				}
			};
			const { page } = await show(forge, {
				withoutPolicy: true,
				explain: (error) => (error === refused ? visible(group.join('\n')) : String(error)),
			});
			await page.locator('.timeline .failure').waitFor();
			await page.getByRole('textbox').fill('A comment');
			await page.getByRole('button', { name: 'Comment', exact: true }).click();
			await page.locator('.composer .failure:not(:empty)').waitFor();
			await assertClean(open!, group[0]);
		}
	});

	testInBoth('the preview of a typed text is safe as well', async () => {
		const { page } = await show(quietWorld(), { withoutPolicy: true });
		for (const [at, group] of inGroups(plain, groupSize).entries()) {
			const end = `The end of group ${at}`;
			await page.getByRole('tab', { name: 'Write' }).click();
			await page.getByRole('textbox').fill([...group, end].join('\n\n'));
			await page.getByRole('tab', { name: 'Preview' }).click();
			await page.locator('.preview .markdown', { hasText: end }).waitFor();
			await assertClean(open!, group[0]);
		}
	});

	testInBoth('a restored page shows a hostile draft as text', async () => {
		for (const group of inGroups(plain, groupSize)) {
			const text = group.join('\n');
			const kept = { subject, draft: { text, resolution: text }, resolution: text };
			const { page } = await show(quietWorld(), { withoutPolicy: true, kept });
			assert.equal(await page.getByRole('textbox').inputValue(), text.replaceAll(/\r\n?/g, '\n'));
			await assertClean(open!, group[0]);
		}
	});

	test('ten pictures make no request', async () => {
		const forge = quietWorld();
		const description = Array.from({ length: 10 }, (_, at) => `![p${at}](https://evil.test/${at}.png)`).join(' ');
		forge.world.tickets.set('~alice/alpha', [makeTicket({ description })]);
		const { page } = await show(forge, { withoutPolicy: true });
		assert.equal(await page.locator('.description a').count(), 10);
		await assertClean(open!);
	});

	/** A page, and an update that has this HTML as its description. */
	async function pageAndNews(descriptionHtml: string, wish: Partial<PageWish> = {}) {
		const forge = quietWorld();
		const connection = fakeConnection(forge.api);
		const opened = await show(forge, { ...wish, connections: fakeConnections(connection) });
		const title = 'A later title';
		connection.tickets.apply({ kind: 'ticketChanged', ticket: makeTicket({ title, tracker: makeTracker() }) });
		await opened.page.getByText(title).first().waitFor();
		const last = opened.told.at(-1);
		assert.ok(isRecord(last) && isRecord(last['head']));
		return { opened, changed: { head: { ...last['head'], descriptionHtml }, timeline: undefined } };
	}

	test('ignores messages from a frame of another site', async () => {
		const { opened, changed } = await pageAndNews('<p>FORGED</p>', { withoutPolicy: true });
		const { page, asked } = opened;
		const site = 'https://site.test';
		await page.route(`${site}/`, (route) =>
			route.fulfill({
				contentType: 'text/html',
				body: '<script>onmessage = ({ data }) => data.forEach((each) => top.postMessage(each, "*"))</script>',
			}),
		);
		const news = (name: string, value: unknown): unknown => ({ kind: 'news', name, value });
		const forged = [
			news('said', 'FORGED'),
			news('changed', changed),
			news('editText', undefined),
			...Array.from({ length: 200 }, (_, id) => ({ kind: 'answer', id, value: 'FORGED' })),
			news('reload', undefined),
		];
		const text = (): Promise<string> => page.locator('body').innerText();
		const before = await text();
		const askedBefore = [...asked];
		await page.evaluate(
			async ({ origin, messages }) => {
				const frame = document.createElement('iframe');
				const isLoaded = new Promise((resolve) => frame.addEventListener('load', resolve));
				frame.src = `${origin}/`;
				frame.hidden = true;
				document.body.append(frame);
				await isLoaded;
				let left = messages.length;
				// The page's own listener was added first, so it runs before this one.
				const areThere = new Promise<void>((resolve) => {
					window.addEventListener('message', (event) => {
						left -= event.origin === origin ? 1 : 0;
						if (left === 0) {
							resolve();
						}
					});
				});
				frame.contentWindow?.postMessage(messages, origin);
				await areThere;
				frame.remove();
			},
			{ origin: site, messages: forged },
		);
		assert.equal(await text(), before);
		assert.deepEqual(asked, askedBefore);
		assert.deepEqual(opened.incidents, []);
	});

	test('HTML from the host cannot redirect the page', async () => {
		const refresh = '<meta http-equiv="refresh" content="0;url=https://evil.test/">';
		const { opened, changed } = await pageAndNews(`<p>Still here</p>${refresh}<div>${refresh}</div>`);
		opened.tell('changed', changed);
		await opened.page.getByText('Still here').waitFor();
		assert.equal(await opened.page.locator('.description meta').count(), 0);
		await assertClean(opened);
	});

	test('a page with its script inlined runs it under the same policy, and loads nothing', async () => {
		const { page } = await show(quietWorld(), { carriesTexts: true });
		assert.equal(await page.locator('script:not([type]):not([src])').count(), 1);
		await page.getByText(makeTicket().title).first().waitFor();
		await assertClean(open!);
	});

	test('an injected script cannot create HTML or run code', async () => {
		const { page } = await show(quietWorld());
		const tried = await page.evaluate(() => {
			const attempt = (work: () => void): string => {
				try {
					work();
					return 'done';
				} catch (error) {
					return error instanceof TypeError ? 'refused' : String(error);
				}
			};
			const inline = document.createElement('div');
			return [
				attempt(() => (inline.innerHTML = '<b>x</b>')),
				attempt(() => document.body.insertAdjacentHTML('beforeend', '<b>x</b>')),
				attempt(() => document.createRange().createContextualFragment('<b>x</b>')),
			];
		});
		assert.deepEqual(tried, ['refused', 'refused', 'refused']);
	});

	test('these tests fill all fields of a ticket and its timeline, and all of them render', async () => {
		const forge = quietWorld();
		const { world } = forge;
		const text = 'Mark';
		const [submitter] = people(text);
		world.tickets.set('~alice/alpha', [{ ...hostileTicket(text, submitter!), tracker: makeTracker() }]);
		world.labels.set('~alice/alpha', [makeLabel(text, '#102030')]);
		world.events.set('~alice/alpha#12', hostileEvents(text, 1).toReversed());
		const { page } = await show(forge);
		await eventually(() => page.locator('.entry').count(), eventsPerText);
		await page.locator('.labels .label:not(.plain)').waitFor();
		/** Counts the text in words, in tooltips and in addresses. */
		const countIn = (selector: string): Promise<readonly (readonly number[])[]> =>
			page.locator(selector).evaluateAll((elements, mark) => {
				const often = (where: readonly (string | null)[]): number =>
					where.join('\n').toLowerCase().split(mark).length - 1;
				return elements.map((element) => {
					const all = Array.from(element.querySelectorAll('*'));
					return [
						often([element.textContent]),
						often(all.map((each) => each.getAttribute('title'))),
						often(all.map((each) => each.getAttribute('href'))),
					];
				});
			}, text.toLowerCase());
		// Five comments, one per kind of participant, then the other kinds of events.
		const comments = [
			[2, 1, 1],
			[2, 1, 0],
			[2, 1, 0],
			[2, 1, 0],
			[1, 1, 1],
		];
		const others = [
			[6, 2, 2],
			[3, 1, 1],
			[1, 0, 0],
			[4, 4, 2],
			[5, 5, 7],
			[1, 0, 0],
			[2, 0, 0],
		];
		assert.deepEqual(await countIn('.entry'), [...comments, ...others]);
		const [head, description, end] = [
			[6, 3, 3],
			[1, 0, 0],
			[1, 0, 0],
		];
		assert.deepEqual(await countIn('.ticket-head, .description, .ticket-end'), [head, description, end]);
	});
});
