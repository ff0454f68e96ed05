import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Ticket, TicketEvent } from '../../src/forge/ticket.ts';
import type { Participant } from '../../src/forge/user.ts';
import { startBrowser } from '../harness/browser.ts';
import { counts } from '../support/counts.ts';
import { fakeConnection, fakeConnections } from '../support/fakeConnection.ts';
import { fakeTrackers } from '../support/fakeForge.ts';
import { hostileTexts, plainHostileTexts } from '../support/hostileTexts.ts';
import { makeComment, makeEvent, makeLabel, makeTicket, makeTracker } from '../support/makeTicket.ts';
import { openTicketPage, type PageInBrowser } from '../support/ticketPageInBrowser.ts';

const tracker = { owner: '~alice', name: 'alpha' };
const subject = { kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker, id: 12 } } as const;

/** A ticket whose every remote field is `text`. */
function hostileTicket(text: string): Ticket {
	return makeTicket({
		title: text,
		description: text,
		status: `other:${text}`,
		resolution: `other:${text}`,
		labels: [text, 'known'],
		submitter: { kind: 'email', address: text, name: text },
		assignees: [{ canonicalName: text, name: text }],
		ref: text,
	});
}

/** Events that show the text in every place that a timeline has. */
function hostileEvents(text: string, from: number): readonly TicketEvent[] {
	const people: readonly Participant[] = [
		{ kind: 'user', canonicalName: text, name: text },
		{ kind: 'email', address: text, name: text },
		{ kind: 'external', externalId: text, externalUrl: text },
	];
	const other = {
		id: 3,
		ref: text,
		title: text,
		tracker: makeTracker({ name: text, owner: { canonicalName: text, name: text } }),
	};
	const rest: readonly Partial<TicketEvent>[] = [
		{ kinds: ['label_added', 'label_removed'], labels: [text, text] },
		{ kinds: ['status_change'], oldStatus: `other:${text}`, newStatus: `other:${text}` },
		{ kinds: ['status_change'], newStatus: 'resolved', newResolution: `other:${text}` },
		{ kinds: ['ticket_mentioned', 'user_mentioned'], fromTicket: other },
		{ kinds: [`other:${text}`] },
	];
	return [
		...people.map((user) => ({
			kinds: ['comment'] as const,
			user,
			byUser: user,
			comment: makeComment(text, { submitter: user }),
		})),
		...rest,
	].map((event, at) => makeEvent({ id: from + at, ...event }));
}

/** What there must never be on the page, whatever was written. */
function badNodes(): readonly string[] {
	const page = document.querySelector('#page') ?? document.body;
	const forbidden = 'script,iframe,object,embed,form,meta,base,style,link,img,video,audio,template';
	const isBad = (element: Element, { name, value }: Attr): boolean =>
		name.startsWith('on') ||
		(name === 'href' && !/^(?:https?:\/\/|mailto:)/.test(value)) ||
		(name === 'style' && !element.matches('.label,textarea,.preview')) ||
		/^\s*(?:javascript|command|vscode|data|file):/i.test(value);
	return [
		...Array.from(page.querySelectorAll(forbidden), ({ outerHTML }) => outerHTML),
		...Array.from(page.querySelectorAll('*')).flatMap((element) =>
			Array.from(element.attributes)
				.filter((attribute) => isBad(element, attribute))
				.map(({ name, value }) => `${name}=${value}`),
		),
	];
}

suite('ticket page and hostile texts', function () {
	this.timeout(600_000);
	let browser: Browser;
	let open: PageInBrowser | undefined;

	suiteSetup(async () => {
		browser = await startBrowser();
	});
	teardown(async () => {
		await open?.close();
		open = undefined;
	});
	suiteTeardown(async () => {
		await browser.close();
	});

	test('at least 400 hostile texts are known', () => {
		assert.ok(hostileTexts.length >= 400, String(hostileTexts.length));
	});

	test('in no field of the timeline does a text run, load, or become markup', async () => {
		const texts = hostileTexts.slice(0, counts({ small: plainHostileTexts.length, full: hostileTexts.length }));
		const { world, api } = fakeTrackers();
		world.pageSize = 10_000;
		world.trackers.push(makeTracker({ description: texts[0] }));
		world.labels.set('~alice/alpha', [makeLabel('known', 'red;background:url(https://evil.test)', '"')]);
		world.tickets.set('~alice/alpha', [makeTicket()]);
		world.events.set('~alice/alpha#12', texts.flatMap((text, at) => hostileEvents(text, 1 + at * 10)).toReversed());
		const connection = fakeConnection(api);
		open = await openTicketPage(browser, { connections: fakeConnections(connection), subject });
		await open.page.waitForSelector('.entry');
		assert.equal(await open.page.locator('.entry').count(), texts.length * 8);
		assert.deepEqual(await open.page.evaluate(badNodes), []);
		assert.deepEqual(open.incidents, []);
		assert.deepEqual(open.foreign, []);
	});

	test('nor does it in the fields of the ticket itself', async () => {
		const texts = hostileTexts.slice(0, counts({ small: plainHostileTexts.length, full: hostileTexts.length }));
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket()]);
		const connection = fakeConnection(api);
		open = await openTicketPage(browser, { connections: fakeConnections(connection), subject });
		for (const [at, text] of texts.entries()) {
			connection.tickets.apply({ kind: 'ticketChanged', ticket: { ...hostileTicket(text), createdMs: at * 60_000 } });
			await open.page.waitForSelector(`.byline time[datetime="${new Date(at * 60_000).toISOString()}"]`);
			assert.deepEqual(await open.page.evaluate(badNodes), [], text);
		}
		assert.deepEqual(open.incidents, []);
		assert.deepEqual(open.foreign, []);
		assert.equal(new URL(open.page.url()).origin, 'https://page.test');
	});

	test('the preview of what is typed is as safe', async () => {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket()]);
		open = await openTicketPage(browser, { connections: fakeConnections(fakeConnection(api)), subject });
		await open.page.getByRole('textbox').fill(plainHostileTexts.join('\n\n'));
		await open.page.getByRole('tab', { name: 'Preview' }).click();
		await open.page.waitForSelector('.preview .markdown');
		assert.deepEqual(await open.page.evaluate(badNodes), []);
		assert.deepEqual(open.incidents, []);
		assert.deepEqual(open.foreign, []);
	});

	test('ten pictures make no request', async () => {
		const { world, api } = fakeTrackers();
		const description = Array.from({ length: 10 }, (_, at) => `![p${at}](https://evil.test/${at}.png)`).join(' ');
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ description })]);
		open = await openTicketPage(browser, { connections: fakeConnections(fakeConnection(api)), subject });
		assert.equal(await open.page.locator('.description a').count(), 10);
		assert.deepEqual(open.foreign, []);
	});

	test('even a script that got in could not make HTML or run code', async () => {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket()]);
		open = await openTicketPage(browser, { connections: fakeConnections(fakeConnection(api)), subject });
		const tried = await open.page.evaluate(() => {
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
});
