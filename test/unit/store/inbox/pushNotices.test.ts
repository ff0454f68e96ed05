import assert from 'node:assert/strict';
import type { PushSaid } from 'sourcehut/port/deliveryHint.ts';
import { pushNotices, repositoryPosition, withoutTargets } from '../../../../src/store/inbox/pushNotices.ts';
import type { InboxPosition, InboxReading } from '../../../../src/store/inbox/inboxBook.ts';
import { makePushSaid } from '../support/makePushSaid.ts';

const ref = { owner: '~bob', name: 'quill' };
const [a, b] = ['a', 'b'].map((letter) => letter.repeat(40));

/** Reads reference targets in sequence; each reading knows the previous result. */
class Readings {
	known: InboxPosition | undefined;
	#nowMs = 1000;

	read(
		targets: Readonly<Record<string, string | undefined>>,
		{ isWhole = true, said = [] }: { readonly isWhole?: boolean; readonly said?: readonly PushSaid[] } = {},
	): InboxReading {
		this.#nowMs += 1000;
		const reading = pushNotices({
			ref,
			references: Object.entries(targets).map(([name, target = '']) => ({ name, target })),
			isWhole,
			known: this.known,
			said,
			watching: 'everything',
			me: '~alice',
			nowMs: this.#nowMs,
		});
		this.known = reading.positions.get(repositoryPosition(ref)) ?? this.known;
		return reading;
	}
}

function told({ entries }: InboxReading): readonly string[] {
	return entries.map(({ event }) =>
		event.kind === 'pushed'
			? event.changes.map(({ name, old, now }) => `${name} ${old?.[0] ?? '-'}>${now?.[0] ?? '-'}`).join(', ')
			: event.kind,
	);
}

suite('push entry', () => {
	test('has a unique id per reading, even after a repeated move', () => {
		const readings = new Readings();
		const ids = [a, b, a, b, a, b].flatMap((main) => readings.read({ main }).entries.map(({ id }) => id));
		assert.equal(new Set(ids).size, 5);
	});

	test('has the same id in two windows with the same start, with or without a delivery', () => {
		const [one, other] = [new Readings(), new Readings()];
		[one, other].forEach((each) => each.read({ main: a }));
		other.read({ main: a });
		const said = [makePushSaid('1', '~carol', { main: [a, b] })];
		assert.deepEqual(
			one.read({ main: b }, { said }).entries.map(({ id }) => id),
			other.read({ main: b }).entries.map(({ id }) => id),
		);
	});

	test('has a short unique id even with very many references', () => {
		const readings = new Readings();
		const all = (target: string | undefined): Record<string, string | undefined> =>
			Object.fromEntries(Array.from({ length: 3000 }, (_, number) => [`refs/tags/v${number}`, target]));
		readings.read(all(a));
		const names = Object.keys(all(a));
		const said = [
			makePushSaid('1', '~carol', Object.fromEntries(names.slice(1000).map((name) => [name, [a, b] as const]))),
		];
		const ids = readings.read(all(b), { said }).entries.map(({ id }) => id);
		assert.equal(new Set(ids).size, 2);
		assert.ok(
			ids.every(({ length }) => length < 1000),
			ids.map(({ length }) => length).join(),
		);
	});

	test('ignores names beyond the end of a partial reading', () => {
		const readings = new Readings();
		readings.read({ main: a, v1: a });
		assert.deepEqual(told(readings.read({ main: b }, { isWhole: false })), ['main a>b']);
		assert.deepEqual(told(readings.read({ main: b, v1: a })), []);
		assert.deepEqual(told(readings.read({ main: b })), ['v1 a>-']);
	});

	test('ignores names missing from the first readings, until they move', () => {
		const readings = new Readings();
		readings.read({ main: a }, { isWhole: false });
		assert.deepEqual(told(readings.read({ main: a, v1: a }, { isWhole: true })), []);
		assert.deepEqual(told(readings.read({ main: b, v1: a, v2: a })), ['main a>b, v2 ->a']);
	});

	test('ignores moves from the time without notifications', () => {
		const readings = new Readings();
		readings.read({ main: a });
		readings.known = readings.known && withoutTargets(readings.known);
		assert.deepEqual(told(readings.read({ main: b })), []);
		assert.deepEqual(told(readings.read({ main: a })), ['main b>a']);
	});
});
