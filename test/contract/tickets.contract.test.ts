import assert from 'node:assert/strict';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import {
	allItems,
	allPages,
	changed,
	contractSuite,
	protocolSuite,
	firstPage,
	problemFrom,
	wanted,
} from '../support/contractForge.ts';

/** The first pages of a list; empty if there is no list. */
async function pagesOf<T>(list: Pages<T> | undefined, most: number): Promise<readonly Page<T>[]> {
	const pages: Page<T>[] = [];
	for (let next = await list?.next(); next !== undefined && next.done !== true; next = await list?.next()) {
		pages.push(next.value);
		if (pages.length === most) {
			break;
		}
	}
	await list?.return();
	return pages;
}

const lantern: TrackerRef = { owner: '~alice', name: 'lantern' };
const many: TrackerRef = { owner: '~alice', name: 'many' };

/** The number of items seen after each page of 130. */
function pageEnds(onPage: number): readonly number[] {
	return Array.from({ length: Math.ceil(130 / onPage) }, (_, place) => Math.min(130, (place + 1) * onPage));
}

protocolSuite('tickets', { inBoth: true, tickets: 130 }, ({ dialect, forge, testWith }) => {
	/** Page size. */
	const onPage = { field: 50, document: 130, graphql: 25 }[dialect];
	const isField = dialect === 'field';
	const atEnd = { kind: dialect === 'document' ? 'unstated' : 'complete' };

	test('a tracker lists all tickets once, newest first, and the server reports the end if it can', async () => {
		const pages = await allPages(forge().as('alice').trackers.tickets(many, wanted()));
		const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
		assert.deepEqual(
			ids,
			Array.from({ length: 130 }, (_, place) => 130 - place),
		);
		assert.deepEqual(
			pages.map(({ seen, completeness }) => [seen, completeness]),
			pageEnds(onPage).map((seen) => [seen, seen < 130 ? { kind: 'more', total: isField ? 130 : undefined } : atEnd]),
		);
	});

	test('the first page costs one request', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		const page = await firstPage(forge().as('alice').trackers.tickets(many, wanted()));
		assert.equal(page.items.length, onPage);
		assert.equal((await sample.requests()).length, 1);
	});

	test('the sample tickets are complete, with all kinds of people', async () => {
		const tickets = await allItems(forge().as('bob').trackers.tickets(lantern, wanted()));
		assert.ok(tickets.length > 150);
		assert.ok(tickets.every(({ ref, id }) => ref === `~alice/lantern#${id}`));
		const statuses = new Set(tickets.map(({ status }) => status));
		assert.deepEqual(statuses, new Set(['reported', 'confirmed', 'in_progress', 'pending', 'resolved']));
		const people = new Set(tickets.map(({ submitter }) => submitter.kind));
		assert.ok(people.has('user'));
		assert.equal(people.has('email'), dialect !== 'document');
	});

	test('a ticket is the same in both forms and in the listing', async () => {
		const listed = (await firstPage(forge().as('alice').trackers.tickets(lantern, wanted()))).items[0];
		assert.ok(listed);
		const ref = { tracker: lantern, id: listed.id };
		const own = await forge().as('alice').trackers.ticket(ref, wanted());
		const others = await forge().as('bob').trackers.ticket(ref, wanted());
		// Only GraphQL reports the account's own permissions.
		assert.deepEqual({ ...own, permissions: undefined }, { ...others, permissions: undefined });
		assert.deepEqual(own, listed);
	});

	test('every ticket has a readable timeline, newest first', async () => {
		const { trackers } = forge().as('alice');
		const { items } = await firstPage(trackers.tickets(lantern, wanted()));
		const kinds = new Set<string>();
		for (const { id } of items.slice(0, 30)) {
			const events = await allItems(trackers.events({ tracker: lantern, id }, wanted()));
			assert.deepEqual(
				events.map((event) => event.id),
				events.map((event) => event.id).toSorted((a, b) => b - a),
			);
			for (const event of events) {
				event.kinds.forEach((kind) => kinds.add(kind));
				assert.ok(!event.kinds.includes('comment') || event.comment !== undefined);
			}
		}
		assert.ok(kinds.has('comment') && kinds.has('status_change') && kinds.has('label_added'));
	});

	test('the responses reflect submitting, commenting, resolving and reopening', async () => {
		const { trackers } = forge().as('alice');
		const made = await trackers.submit(lantern, { title: 'Lamp flickers', description: 'At *night*' }, wanted());
		assert.deepEqual([made.title, made.description, made.status], ['Lamp flickers', 'At *night*', 'reported']);
		const ref = { tracker: lantern, id: made.id };
		const resolved = await changed(
			trackers.updateTicket(
				ref,
				{ comment: 'Fixed by a new bulb', move: { kind: 'resolve', resolution: 'fixed' } },
				wanted(),
			),
		);
		assert.deepEqual([resolved.ticket.status, resolved.ticket.resolution], ['resolved', 'fixed']);
		const change = resolved.events.find(({ kinds }) => kinds.includes('status_change'));
		assert.deepEqual(
			[change?.oldStatus, change?.oldResolution, change?.newStatus, change?.newResolution],
			['reported', 'unresolved', 'resolved', 'fixed'],
		);
		const comment = resolved.events.find(({ kinds }) => kinds.includes('comment'))?.comment;
		assert.equal(comment?.text, 'Fixed by a new bulb');
		const reopened = await changed(trackers.updateTicket(ref, { move: { kind: 'reopen' } }, wanted()));
		assert.equal(reopened.ticket.status, 'reported');
		assert.equal(reopened.events[0]?.newStatus, 'reported');
		const events = await allItems(trackers.events(ref, wanted()));
		assert.ok(events.some(({ comment: said }) => said?.text === 'Fixed by a new bulb'));
	});

	test('the client adds and removes labels', async () => {
		const { trackers } = forge().as('alice');
		const labels = (await allItems(trackers.labels(lantern, wanted()))).map(({ name }) => name).slice(0, 2);
		const { id } = await trackers.submit(lantern, { title: 'To be labelled', description: '' }, wanted());
		const ref = { tracker: lantern, id };
		const added = await changed(trackers.updateTicket(ref, { labels: { add: labels, remove: [] } }, wanted()));
		assert.deepEqual(added.ticket.labels.toSorted(), labels.toSorted());
		assert.deepEqual(added.events.flatMap((event) => event.labels).toSorted(), labels.toSorted());
		const removed = await changed(
			trackers.updateTicket(ref, { labels: { add: [], remove: labels.slice(0, 1) } }, wanted()),
		);
		assert.deepEqual(removed.ticket.labels, labels.slice(1));
		const unknown = await problemFrom(
			changed(trackers.updateTicket(ref, { labels: { add: ['no such label'], remove: [] } }, wanted())),
		);
		assert.equal(unknown.kind === 'invalid' && unknown.errors[0]?.field, 'labels');
	});

	test('the server sets any status, or the client reports why it refuses', async () => {
		const { trackers } = forge().as('alice');
		const { id } = await trackers.submit(lantern, { title: 'To be confirmed', description: '' }, wanted());
		const update = changed(
			trackers.updateTicket({ tracker: lantern, id }, { move: { kind: 'set', status: 'confirmed' } }, wanted()),
		);
		if (isField) {
			const problem = await problemFrom(update);
			assert.equal(problem.kind === 'invalid' && problem.errors[0]?.field, 'resolution');
		} else {
			assert.equal((await update).ticket.status, 'confirmed');
		}
	});

	test('an empty update changes nothing', async () => {
		const update = await changed(forge().as('alice').trackers.updateTicket({ tracker: many, id: 7 }, {}, wanted()));
		assert.deepEqual(update.events, []);
	});

	test('the client reports a missing ticket as not found, even if the server crashes over it', async () => {
		const { trackers } = forge().as('alice');
		const ref = { tracker: lantern, id: 99_999 };
		assert.deepEqual(await problemFrom(trackers.ticket(ref, wanted())), { kind: 'notFound' });
		assert.deepEqual(await problemFrom(changed(trackers.updateTicket(ref, { comment: 'hello' }, wanted()))), {
			kind: 'notFound',
		});
		assert.deepEqual(await problemFrom(allItems(trackers.events(ref, wanted()))), { kind: 'notFound' });
	});

	test('a crash over an existing ticket remains a server error', async () => {
		const { sample } = forge();
		await sample.fault({ area: 'todo', path: '/tickets/7$|^/query$' }, { kind: 'status', status: 500 });
		const problem = await problemFrom(forge().as('alice').trackers.ticket({ tracker: many, id: 7 }, wanted()));
		assert.deepEqual(problem, { kind: 'serverError', status: 500 });
	});

	test('the client reports missing rights as not allowed, not as a bad token', async () => {
		const { trackers } = forge().as('bob');
		const problem = await problemFrom(
			changed(
				trackers.updateTicket(
					{ tracker: lantern, id: 1 },
					{ move: { kind: 'resolve', resolution: 'fixed' } },
					wanted(),
				),
			),
		);
		assert.deepEqual(problem, { kind: 'notAllowed' });
	});

	test('the server rejects a short title with its field', async () => {
		const problem = await problemFrom(
			forge().as('alice').trackers.submit(lantern, { title: 'x', description: '' }, wanted()),
		);
		assert.equal(problem.kind === 'invalid' && problem.errors[0]?.field, 'title');
	});

	testWith('trackers.editComment', 'the author edits a comment where the server supports it', async () => {
		const { trackers } = forge().as('alice');
		const { id } = await trackers.submit(lantern, { title: 'Misspelt', description: '' }, wanted());
		const ref = { tracker: lantern, id };
		const { events } = await changed(trackers.updateTicket(ref, { comment: 'A tpyo' }, wanted()));
		const said = events[0]?.comment;
		assert.ok(said);
		const edited = await trackers.editComment?.(ref, said, 'A typo', wanted());
		assert.ok(edited);
		assert.equal(edited.text, 'A typo');
		assert.notEqual(edited.id, said.id);
		// The edit replaced the old comment, and servers crash over it (docs/protocol.md#comment-edits).
		const stale = trackers.editComment?.(ref, said, 'Another typo', wanted());
		await assert.rejects(
			stale ?? Promise.resolve(),
			(error) => isForgeError(error) && error.problem.kind === 'notFound',
		);
	});

	test('texts with special characters survive a round trip', async () => {
		const { trackers } = forge().as('alice');
		const title = '<b>"Ünïcode" & 日本語 🚀</b> \\ %2F';
		const description = 'Line one\n\n```\n<script>\n```\n\u2028';
		const made = await trackers.submit(lantern, { title, description }, wanted());
		const read = await trackers.ticket({ tracker: lantern, id: made.id }, wanted());
		assert.deepEqual([read.title, read.description], [title, description]);
	});

	test('the sample forge reports no unexpected crash', async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});
});

/** Only REST has pages that start at a number. */
contractSuite('tickets over REST', { inBoth: true, tickets: 130 }, ({ dialect, forge }) => {
	const isField = dialect === 'field';

	function ticketsFrom(number: number): Pages<Ticket> | undefined {
		const { ticketsOn } = forge().as('alice').trackers;
		return ticketsOn.kind === 'fromNumber' ? ticketsOn.read(many, number, wanted()) : undefined;
	}

	test('a page starts at the requested number if the server has pages', async () => {
		const { sample } = forge();
		const from70 = (): Pages<Ticket> | undefined => ticketsFrom(70);
		await sample.forgetRequests();
		const [page] = await pagesOf(from70(), 1);
		assert.deepEqual(
			[page?.items[0]?.id, page?.items.at(-1)?.id, page?.completeness],
			isField ? [70, 21, { kind: 'more', total: 130 }] : [130, 1, { kind: 'unstated' }],
		);
		assert.equal((await sample.requests()).length, 1);
		const all = await pagesOf(from70(), 10);
		assert.equal(all.flatMap(({ items }) => items).length, isField ? 70 : 130);
	});

	test('a page below the first number is the end, not an error', async () => {
		const [last] = await pagesOf(ticketsFrom(20), 1);
		assert.deepEqual(last?.completeness, isField ? { kind: 'complete' } : { kind: 'unstated' });
	});
});
