import assert from 'node:assert/strict';
import type { PushSaid } from 'sourcehut/port/deliveryHint.ts';
import { pushNotices, repositoryPosition, withoutTargets } from '../../../../src/store/inbox/pushNotices.ts';
import type { InboxPosition, InboxReading } from '../../../../src/store/inbox/inboxBook.ts';
import { makePushSaid } from '../../../support/makePushSaid.ts';

const ref = { owner: '~bob', name: 'quill' };
const [a, b] = ['a', 'b'].map((letter) => letter.repeat(40));

/** Reads where names lead, one reading after the other; each knows what the one before left. */
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

suite('what is pushed to a repository', () => {
	test('has a name of its own each time that it is read, also where the same happens again', () => {
		const readings = new Readings();
		const ids = [a, b, a, b, a, b].flatMap((main) => readings.read({ main }).entries.map(({ id }) => id));
		assert.equal(new Set(ids).size, 5);
	});

	test('has the same name for two windows that read it from where both knew it, told by a delivery or not', () => {
		const [one, other] = [new Readings(), new Readings()];
		[one, other].forEach((each) => each.read({ main: a }));
		other.read({ main: a });
		const said = [makePushSaid('1', '~carol', { main: [a, b] })];
		assert.deepEqual(
			one.read({ main: b }, { said }).entries.map(({ id }) => id),
			other.read({ main: b }).entries.map(({ id }) => id),
		);
	});

	test('has a short name of its own also where very many references are pushed', () => {
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

	test('is not told of names that a reading did not reach, nor when the next one does again', () => {
		const readings = new Readings();
		readings.read({ main: a, v1: a });
		assert.deepEqual(told(readings.read({ main: b }, { isWhole: false })), ['main a>b']);
		assert.deepEqual(told(readings.read({ main: b, v1: a })), []);
		assert.deepEqual(told(readings.read({ main: b })), ['v1 a>-']);
	});

	test('is not told of names that the first readings did not reach, and of those that move after that', () => {
		const readings = new Readings();
		readings.read({ main: a }, { isWhole: false });
		assert.deepEqual(told(readings.read({ main: a, v1: a }, { isWhole: true })), []);
		assert.deepEqual(told(readings.read({ main: b, v1: a, v2: a })), ['main a>b, v2 ->a']);
	});

	test('while nobody wants to hear of it is no news afterwards', () => {
		const readings = new Readings();
		readings.read({ main: a });
		readings.known = readings.known && withoutTargets(readings.known);
		assert.deepEqual(told(readings.read({ main: b })), []);
		assert.deepEqual(told(readings.read({ main: a })), ['main b>a']);
	});
});
