import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
	emptyBook,
	keptStates,
	watchWords,
	joinedBooks,
	withChoice,
	withReading,
	withStates,
	type InboxBook,
} from '../../../../src/store/inbox/inboxBook.ts';
import { thingKey, type InboxEntry, type InboxEvent, type InboxThing } from '../../../../src/store/inbox/inboxEntry.ts';
import { inboxTexts } from '../../../../src/store/inbox/inbox.ts';
import { counts, seed } from '../../../support/counts.ts';

const runs = { numRuns: counts({ small: 200, full: 20_000 }), seed: seed() };

const ticket = (id: number): InboxEntry['thing'] => ({
	kind: 'ticket',
	ref: { tracker: { owner: '~alice', name: 'alpha' }, id },
	title: `Ticket ${id}`,
});

const entryOf = (id: number, ticketId: number): InboxEntry => ({
	id: `event ${id}`,
	thing: ticket(ticketId),
	atMs: 1000 * id,
	by: '~bob',
	reason: 'mine',
	event: { kind: 'commented', eventId: id, excerpt: 'Yes', moved: undefined },
});

/** Steps of a window; the event number identifies each event. */
const steps = fc.array(
	fc.oneof(
		fc.record({ kind: fc.constant('read' as const), id: fc.nat(8) }),
		fc.record({
			kind: fc.constant('state' as const),
			id: fc.nat(8),
			state: fc.constantFrom(...keptStates),
			atMs: fc.nat(50),
			untilMs: fc.option(fc.nat(50), { nil: undefined }),
		}),
		fc.record({
			kind: fc.constant('choose' as const),
			id: fc.nat(2),
			isShouted: fc.boolean(),
			watching: fc.constantFrom(...watchWords),
			atMs: fc.nat(50),
		}),
	),
	{ maxLength: 15 },
);

function bookOf(done: typeof steps extends fc.Arbitrary<infer T> ? T : never): InboxBook {
	return done.reduce((book, step) => {
		switch (step.kind) {
			case 'read': {
				const positions = new Map([[`ticket ${step.id % 3}`, { sinceMs: step.id, newestId: step.id, detail: '' }]]);
				return withReading(book, { entries: [entryOf(step.id, step.id % 3)], positions });
			}
			case 'state':
				return withStates(book, [`event ${step.id}`], step.state, step.atMs, step.untilMs);
			case 'choose':
				return withChoice(book, choiceName(step), step.watching, step.atMs);
		}
	}, emptyBook);
}

/** The same choice in upper or lower case. */
function choiceName({ id, isShouted }: { readonly id: number; readonly isShouted: boolean }): string {
	const key = thingKey(ticket(id));
	return isShouted ? key.toUpperCase() : key;
}

/** Ignores the insertion order of maps. */
function plain({ items, positions, choices }: InboxBook): unknown {
	return [items, positions, choices].map((map: ReadonlyMap<string, unknown>) =>
		[...map].toSorted(([a], [b]) => (a < b ? -1 : 1)),
	);
}

function bookIn(text: string): InboxBook {
	return inboxTexts().bookIn(text, emptyBook);
}

function readBack(book: InboxBook): InboxBook {
	return bookIn(inboxTexts().textOf(book));
}

suite('inbox book', function () {
	this.timeout(600_000);
	test('merges in any order and any number of times with the same result', () => {
		fc.assert(
			fc.property(steps, steps, steps, (one, two, three) => {
				const [a, b, c] = [bookOf(one), bookOf(two), bookOf(three)];
				assert.deepEqual(plain(joinedBooks(a, b)), plain(joinedBooks(b, a)));
				assert.deepEqual(plain(joinedBooks(joinedBooks(a, b), c)), plain(joinedBooks(a, joinedBooks(b, c))));
				assert.deepEqual(plain(joinedBooks(a, a)), plain(a));
			}),
			runs,
		);
	});

	test('merges concurrent choices that differ in case with the same result', () => {
		const [one, other] = ['list ~a/b', 'list ~a/B'].map((name) => withChoice(emptyBook, name, 'nothing', 5));
		assert.ok(one && other);
		assert.deepEqual(plain(joinedBooks(one, other)), plain(joinedBooks(other, one)));
	});

	test('has the same content and text after a round trip, independent of earlier texts', () => {
		fc.assert(
			fc.property(steps, steps, (done, others) => {
				const [book, other] = [bookOf(done), bookOf(others)];
				const texts = inboxTexts();
				const joined = joinedBooks(book, other);
				for (const each of [book, other, joined]) {
					const text = texts.textOf(each);
					assert.equal(text, inboxTexts().textOf(each));
					for (const known of [emptyBook, book, joined]) {
						assert.deepEqual(plain(texts.bookIn(text, known)), plain(each));
					}
				}
			}),
			runs,
		);
	});

	test('reuses unchanged rows when written and read', () => {
		const entries = [entryOf(1, 1), entryOf(2, 1)];
		const book = withReading(emptyBook, {
			entries,
			positions: new Map([['a', { sinceMs: 1, newestId: 2, detail: 'x' }]]),
		});
		const texts = inboxTexts();
		const text = texts.textOf(withStates(book, ['event 2'], 'read', 5));
		const read = texts.bookIn(text, book);
		assert.equal(read.items.get('event 1'), book.items.get('event 1'));
		assert.equal(read.positions.get('a'), book.positions.get('a'));
		assert.equal(read.items.get('event 2')?.state, 'read');
	});

	test('keeps one position under two names', () => {
		const position = { sinceMs: 1, newestId: 2, detail: 'x' };
		const positions = new Map([
			['a', position],
			['b', position],
		]);
		const book = withReading(emptyBook, { entries: [], positions });
		const texts = inboxTexts();
		assert.deepEqual(plain(texts.bookIn(texts.textOf(book), book)), plain(book));
		assert.deepEqual(plain(bookIn(texts.textOf(book))), plain(book));
	});

	test('reads the older format in one line', () => {
		const positions = new Map([['a', { sinceMs: 1, newestId: 2, detail: '],"choices":[' }]]);
		const book = withReading(emptyBook, { entries: [entryOf(1, 1)], positions });
		const text = JSON.stringify(JSON.parse(inboxTexts().textOf(book)));
		assert.ok(!text.includes('\n'));
		assert.deepEqual(plain(bookIn(text)), plain(book));
	});

	test('has the same content after a round trip', () => {
		fc.assert(
			fc.property(steps, (done) => {
				const book = bookOf(done);
				assert.deepEqual(plain(readBack(book)), plain(book));
			}),
			runs,
		);
	});

	test('keeps the state of an entry on a repeated reading', () => {
		const reading = { entries: [entryOf(1, 1)], positions: new Map() };
		const read = withStates(withReading(emptyBook, reading), ['event 1'], 'done', 5);
		assert.equal(withReading(read, reading).items.get('event 1')?.state, 'done');
	});

	test('adds entries of a muted thing as done, until the mute ends', () => {
		const key = thingKey(ticket(1));
		const muted = withChoice(
			withReading(emptyBook, { entries: [entryOf(1, 1)], positions: new Map() }),
			key,
			'nothing',
			5,
		);
		const more = withReading(muted, { entries: [entryOf(2, 1), entryOf(3, 2)], positions: new Map() });
		assert.deepEqual(
			[...more.items.values()].map(({ state }) => state),
			['done', 'done', 'unread'],
		);
		const heard = withReading(withChoice(more, key, 'usual', 6), { entries: [entryOf(4, 1)], positions: new Map() });
		assert.equal(heard.items.get('event 4')?.state, 'unread');
	});

	test('marks entries of a muted place as done, except for things with their own choice', () => {
		const all = [entryOf(1, 1), entryOf(2, 2)];
		const read = withReading(emptyBook, { entries: all, positions: new Map() });
		const chosen = withChoice(read, thingKey(ticket(2)), 'everything', 5);
		const states = (book: InboxBook): readonly string[] => [...book.items.values()].map(({ state }) => state);
		assert.deepEqual(states(withChoice(chosen, 'tracker ~alice/alpha', 'nothing', 6)), ['done', 'unread']);
		assert.deepEqual(states(withChoice(chosen, 'tracker ~alice/other', 'nothing', 6)), ['unread', 'unread']);
	});

	test('reads choices from before names kept their case', () => {
		const [, choice] = [...bookIn('{"choices":[["list ~a/b",{"watching":"nothing","atMs":5}]]}').choices][0] ?? [];
		assert.deepEqual(choice, { name: 'list ~a/b', watching: 'nothing', atMs: 5 });
	});

	test('prefers the last state change even after the clock moves back', () => {
		const book = withStates(
			withReading(emptyBook, { entries: [entryOf(1, 1)], positions: new Map() }),
			['event 1'],
			'done',
			500,
		);
		assert.equal(joinedBooks(book, withStates(book, ['event 1'], 'unread', 3)).items.get('event 1')?.state, 'unread');
	});

	test('never moves a position back, and skips damaged entries', () => {
		const one = withReading(emptyBook, {
			entries: [entryOf(1, 1), entryOf(2, 1)],
			positions: new Map([['ticket 1', { sinceMs: 9, newestId: 2, detail: 'x' }]]),
		});
		const older = withReading(one, {
			entries: [],
			positions: new Map([['ticket 1', { sinceMs: 3, newestId: 7, detail: 'z' }]]),
		});
		assert.deepEqual(older.positions.get('ticket 1'), { sinceMs: 9, newestId: 2, detail: 'x' });
		const damaged = inboxTexts().textOf(one).replace('"commented"', '"sung"');
		assert.deepEqual([...bookIn(damaged).items.keys()], ['event 2']);
		assert.deepEqual(plain(bookIn('{"items":')), plain(emptyBook));
	});

	test('keeps every entry of an older format: a new field needs a fallback', () => {
		// Frozen: stored texts have only these fields.
		const events = [
			'{"kind":"ticketCreated"}',
			'{"kind":"commented","eventId":1,"excerpt":"Yes"}',
			'{"kind":"statusChanged","eventId":2,"moved":{"status":"pending"}}',
			'{"kind":"labelled","eventId":3,"labels":["bug"]}',
			'{"kind":"unassigned","to":"~bob"}',
			'{"kind":"namedByTicket","eventId":6,"from":"~alice/alpha#7"}',
			'{"kind":"mailArrived","mailId":7,"subject":"Plans"}',
			'{"kind":"patchsetReceived","version":2}',
			'{"kind":"patchsetMarked","status":"applied"}',
			'{"kind":"pushed","changes":[{"name":"refs/heads/main","old":"aa","now":"bb"}]}',
		];
		const ref = '"ref":{"tracker":{"owner":"~alice","name":"alpha"},"id":1}';
		const items = events.map(
			(event, at) =>
				`{"entry":{"id":"event ${at}","thing":{"kind":"ticket",${ref},"title":"One"},"atMs":1,"reason":"mine","event":${event}},"state":"unread","stateMs":0}`,
		);
		const text = `{"items":[${items.join(',')}],"positions":[["ticket 1",{"sinceMs":9,"newestId":2,"detail":"x"}]]}`;
		const book = bookIn(text);
		assert.deepEqual(
			[...book.items.values()].map(({ entry }) => entry.event.kind),
			events.map((event) => /"kind":"(\w+)"/.exec(event)?.[1]),
		);
		assert.equal(book.positions.size, 1);
	});

	test('round-trips every kind of event and thing', () => {
		const list = { owner: '~alice', name: 'devel' };
		const moved = { status: 'resolved', resolution: 'fixed' } as const;
		const events: readonly InboxEvent[] = [
			{ kind: 'ticketCreated' },
			{ kind: 'commented', eventId: 1, excerpt: 'Yes', moved },
			{ kind: 'statusChanged', eventId: 2, moved: { status: 'pending', resolution: undefined } },
			{ kind: 'labelled', eventId: 3, labels: ['bug', 'ui'] },
			{ kind: 'unlabelled', eventId: 4, labels: [] },
			{ kind: 'assigned', eventId: 5, to: '~bob' },
			{ kind: 'unassigned', eventId: undefined, to: '~bob' },
			{ kind: 'namedByTicket', eventId: 6, from: '~alice/alpha#7' },
			{ kind: 'mailArrived', mailId: 7, subject: 'Plans' },
			{ kind: 'patchsetReceived', version: 2 },
			{ kind: 'patchsetMarked', status: 'applied' },
			{
				kind: 'pushed',
				changes: [
					{ name: 'refs/heads/main', old: 'aa', now: 'bb', isAnnotatedTag: false },
					{ name: 'refs/tags/v1', old: undefined, now: 'bb', isAnnotatedTag: true },
					{ name: 'refs/heads/old', old: 'aa', now: undefined, isAnnotatedTag: false },
				],
			},
		];
		const things: readonly InboxThing[] = [
			ticket(1),
			{ kind: 'thread', list, id: 5, subject: 'Plans' },
			{ kind: 'patchset', ref: { list, id: 3 }, subject: 'Add foo' },
			{ kind: 'repository', ref: { owner: '~bob', name: 'quill' } },
		];
		const entries = events.flatMap((event, at) =>
			things.map((thing) => ({ ...entryOf(at, 1), id: `${at} ${thing.kind}`, thing, event })),
		);
		const book = withReading(emptyBook, { entries, positions: new Map() });
		assert.deepEqual(plain(readBack(book)), plain(book));
	});

	test('keeps positions of places when there are too many positions of single things', () => {
		const at = (sinceMs: number): { sinceMs: number; newestId: number; detail: string } => ({
			sinceMs,
			newestId: 1,
			detail: '',
		});
		const places = ['tracker ~alice/alpha', 'list ~alice/devel', 'patchsets ~alice/devel', 'repository ~bob/quill'];
		const things = Array.from({ length: 6000 }, (_, id): [string, ReturnType<typeof at>] => [
			thingKey(ticket(id)),
			at(1000 + id),
		]);
		const positions = new Map([...places.map((name): [string, ReturnType<typeof at>] => [name, at(1)]), ...things]);
		const kept = withReading(emptyBook, { entries: [], positions }).positions;
		assert.equal(kept.size, 5000);
		assert.deepEqual(
			places.filter((name) => !kept.has(name)),
			[],
		);
		assert.ok(kept.has(thingKey(ticket(5999))) && !kept.has(thingKey(ticket(0))));
		// A ticket without a position yields no entry, or the reader would reload it forever.
		const oldest = Math.min(
			...[...kept].flatMap(([name, { sinceMs }]) => (name.startsWith('ticket ') ? [sinceMs] : [])),
		);
		assert.equal(kept.get('tracker ~alice/alpha')?.sinceMs, oldest - 1);
		assert.equal(kept.get('list ~alice/devel')?.sinceMs, 1);
		const assigned = { ...at(1), detail: 'assigned' };
		const withAssigned = new Map([...positions, [thingKey(ticket(9000)), assigned] as const]);
		assert.deepEqual(
			withReading(emptyBook, { entries: [], positions: withAssigned }).positions.get(thingKey(ticket(9000))),
			assigned,
		);
	});
});
