import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { PushSaid } from 'sourcehut/port/deliveryHint.ts';
import type { ReferenceChange } from '../../../../src/store/inbox/inboxEntry.ts';
import { pushesOf } from '../../../../src/store/inbox/pushNotices.ts';
import { counts, seed } from '../../../support/counts.ts';
import { growthOf, mostGrowth } from '../../../support/cpuTime.ts';
import { makePushSaid } from '../support/makePushSaid.ts';
import { testInBoth } from '../../../support/parts.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(40));

function change(name: string, old: string | undefined, now: string | undefined): ReferenceChange {
	return { name, old, now, isAnnotatedTag: false };
}

/** Pusher and references in short form. */
function told(changes: readonly ReferenceChange[], said: readonly PushSaid[]): readonly string[] {
	return pushesOf(changes, said).map(({ by, changes: of }) =>
		[by ?? '?', ...of.map(({ name, isAnnotatedTag }) => `${name}${isAnnotatedTag ? ' tagged' : ''}`)].join(' '),
	);
}

suite('pushes named by deliveries', () => {
	test('separate changes by pusher', () => {
		const changes = [
			change('main', a, b),
			change('v1', undefined, b),
			change('next', undefined, c),
			change('old', a, undefined),
		];
		const said = [
			makePushSaid('1', '~bob', { main: [a, b], v1: [undefined, b, 'Version 1'] }),
			makePushSaid('2', '~carol', { next: [undefined, c], old: [a, undefined] }),
		];
		assert.deepEqual(told(changes, said), ['~bob main v1 tagged', '~carol next old']);
		assert.deepEqual(told(changes, said.toReversed()), ['~bob main v1 tagged', '~carol next old']);
		assert.deepEqual(told(changes, said.slice(1)), ['? main v1', '~carol next old']);
		const alone = [makePushSaid('1', '~bob', { main: [a, b] }), makePushSaid('2', '~bob', { next: [undefined, c] })];
		assert.deepEqual(told(changes, alone), ['~bob main', '? v1 old', '~bob next']);
	});

	test('match an annotated tag by name: readings have its object, deliveries have its commit', () => {
		const said = [makePushSaid('1', '~bob', { v1: [undefined, b, 'Version 1'], v2: [undefined, b] })];
		assert.deepEqual(told([change('v1', undefined, c), change('v2', undefined, c)], said), ['~bob v1 tagged', '? v2']);
		assert.deepEqual(told([change('v1', a, c)], said), ['? v1'], 'it was said to be new');
		assert.deepEqual(told([change('v1', undefined, undefined)], said), ['? v1']);
	});

	test('match a reference without a name by its object if unambiguous', () => {
		const unnamed = (push: PushSaid): PushSaid => ({
			...push,
			references: push.references.map((each) => ({
				...each,
				name: undefined,
				object: (each.after ?? each.before)?.id ?? '',
			})),
		});
		const made = unnamed(makePushSaid('1', '~bob', { x: [undefined, b] }));
		const created = [change('refs/heads/x', undefined, b), change('refs/heads/main', a, b)];
		assert.deepEqual(told(created, [made]), ['~bob refs/heads/x', '? refs/heads/main']);
		const gone = unnamed(makePushSaid('2', '~bob', { x: [a, undefined] }));
		assert.deepEqual(told([change('refs/heads/x', a, undefined)], [gone]), ['~bob refs/heads/x']);
		assert.deepEqual(told([change('refs/heads/x', undefined, a)], [gone]), ['? refs/heads/x'], 'it is there');
		const moved = makePushSaid('3', '~bob', { 'refs/heads/x': [b, c] });
		assert.deepEqual(told([change('refs/heads/x', undefined, c)], [made, moved]), ['~bob refs/heads/x']);
		const two = [change('refs/heads/x', undefined, b), change('refs/tags/y', undefined, b)];
		assert.deepEqual(told(two, [made]), ['? refs/heads/x refs/tags/y'], 'either may be it');
		const both = unnamed(makePushSaid('4', '~bob', { x: [undefined, b], y: [undefined, b] }));
		assert.deepEqual(told(two, [both]), ['~bob refs/heads/x refs/tags/y']);
		const other = unnamed(makePushSaid('5', '~carol', { y: [undefined, b] }));
		assert.deepEqual(told(two, [made, other]), ['? refs/heads/x refs/tags/y'], 'whose is whose');
		assert.deepEqual(told(created, [made, other]), ['? refs/heads/x', '? refs/heads/main'], 'of two people');
		const [tagged] = makePushSaid('6', '~bob', { v1: [undefined, b, 'Version 1'] }).references;
		assert.ok(tagged);
		const tag: PushSaid = { ...made, references: [{ ...tagged, name: undefined, object: c ?? '' }] };
		assert.deepEqual(told([change('refs/tags/v1', undefined, c)], [tag]), ['~bob refs/tags/v1 tagged']);
	});

	test('match a moved or deleted annotated tag by the object of an earlier reading', () => {
		const [tag, other] = ['d', 'e'].map((letter) => letter.repeat(40));
		const name = 'refs/tags/v1';
		const deleted = [makePushSaid('1', '~bob', { [name]: [a, undefined], 'refs/heads/main': [a, undefined] })];
		assert.deepEqual(told([change(name, tag, undefined)], deleted), ['~bob refs/tags/v1']);
		assert.deepEqual(told([change('refs/heads/main', tag, undefined)], deleted), ['? refs/heads/main'], 'no tag');
		const moved = [makePushSaid('1', '~bob', { [name]: [a, b, 'Signed'] })];
		assert.deepEqual(told([change(name, tag, other)], moved), ['~bob refs/tags/v1 tagged']);
		const steps = [...moved, makePushSaid('2', '~carol', { [name]: [b, undefined] })];
		assert.deepEqual(told([change(name, tag, undefined)], steps), ['? refs/tags/v1'], 'of two');
		assert.deepEqual(told([change(name, tag, undefined)], moved), ['? refs/tags/v1'], 'nobody deleted it');
		const plain = [
			makePushSaid('1', '~bob', { [name]: [b, undefined] }),
			makePushSaid('2', '~carol', { [name]: [a, b] }),
		];
		assert.deepEqual(told([change(name, a, undefined)], [plain[0] ?? assert.fail()]), ['~bob refs/tags/v1']);
		assert.deepEqual(told([change(name, b, undefined)], plain), ['~bob refs/tags/v1'], 'it stood at the commit');
	});

	test('in two steps belong to a common pusher or to no one', () => {
		const changes = [change('main', a, c)];
		const steps = (one: string, other: string): readonly PushSaid[] => [
			makePushSaid('1', one, { main: [a, b] }),
			makePushSaid('2', other, { main: [b, c] }),
		];
		assert.deepEqual(told(changes, steps('~bob', '~bob')), ['~bob main']);
		assert.deepEqual(told(changes, steps('~bob', '~bob').toReversed()), ['~bob main']);
		assert.deepEqual(told(changes, steps('~bob', '~carol')), ['? main']);
		assert.deepEqual(told(changes, steps('~bob', '~bob').slice(1)), ['? main']);
		const tags = [
			makePushSaid('1', '~bob', { v1: [undefined, a] }),
			makePushSaid('2', '~bob', { v1: [a, b, 'Signed'] }),
		];
		assert.deepEqual(told([change('v1', undefined, b)], tags), ['~bob v1 tagged']);
		const plain = [
			makePushSaid('1', '~bob', { v1: [undefined, a, 'Signed'] }),
			makePushSaid('2', '~bob', { v1: [a, b] }),
		];
		assert.deepEqual(told([change('v1', undefined, b)], plain), ['~bob v1']);
		const moved = (one: string, other: string): readonly PushSaid[] => [
			makePushSaid('1', one, { v1: [undefined, a, 'Signed'] }),
			makePushSaid('2', other, { v1: [a, b, 'Signed again'] }),
		];
		assert.deepEqual(told([change('v1', undefined, c)], moved('~bob', '~bob')), ['~bob v1 tagged']);
		assert.deepEqual(told([change('v1', undefined, c)], moved('~bob', '~carol')), ['? v1 tagged']);
	});

	test('there and back again have no effect', () => {
		const back = [makePushSaid('1', '~bob', { main: [a, b] }), makePushSaid('2', '~bob', { main: [b, a] })];
		assert.deepEqual(told([change('main', a, b)], back), ['~bob main']);
		assert.deepEqual(told([change('main', c, b)], [...back, ...back]), ['? main']);
	});

	test('of several people between the same commits belong to no one, in any order', () => {
		const changes = [change('main', a, b)];
		const toAndFro = [
			makePushSaid('1', '~dave', { main: [a, b] }),
			makePushSaid('2', '~dave', { main: [b, a] }),
			makePushSaid('3', '~bob', { main: [a, b] }),
		];
		const over = [
			makePushSaid('1', '~dave', { main: [a, b] }),
			makePushSaid('2', '~dave', { main: [b, c] }),
			makePushSaid('3', '~carol', { main: [c, b] }),
		];
		for (const said of [toAndFro, over]) {
			assert.deepEqual([told(changes, said), told(changes, said.toReversed())], [['? main'], ['? main']]);
		}
		const before = makePushSaid('0', '~carol', { main: [c, a] });
		assert.deepEqual(
			told(changes, [before, ...over.slice(0, 1)]),
			['~dave main'],
			'what led to where it stood counts not',
		);
	});

	test('have no effect if they contradict the reading', () => {
		const read = [change('main', a, c)];
		const others: readonly Parameters<typeof makePushSaid>[2][] = [
			{ main: [a, b] },
			{ main: [b, c] },
			{ other: [a, c] },
			{ main: [undefined, c] },
			{ main: [a, undefined] },
		];
		for (const of of others) {
			assert.deepEqual(told(read, [makePushSaid('1', '~mallory', of)]), ['? main']);
		}
	});

	test('with a forged duplicate number don’t change the pusher', () => {
		const changes = [change('main', a, b), change('next', undefined, c)];
		const said = [makePushSaid('1', '~bob', { main: [a, b] }), makePushSaid('1', '~mallory', { next: [undefined, c] })];
		assert.deepEqual(told(changes, said), ['~bob main', '~mallory next']);
	});

	const numbers = (size: number): readonly string[] => Array.from({ length: size }, (_, at) => `${at}`);
	const movesOf = (names: readonly string[], push = '1'): PushSaid =>
		makePushSaid(push, '~bob', Object.fromEntries(names.map((each) => [`r${each}`, [undefined, a]])));
	const read = (names: readonly string[]): readonly ReferenceChange[] =>
		names.map((each) => change(`r${each}`, undefined, a));
	/** A chain of steps in one body; a forger may repeat names. */
	const wayOf = (steps: readonly string[]): PushSaid => {
		const [, ...others] = steps.map((step, at) => makePushSaid('1', '~bob', { main: [steps[at - 1], step] }));
		return { ...movesOf([]), references: others.flatMap(({ references }) => references) };
	};
	const large: Readonly<Record<string, (size: number) => readonly [readonly ReferenceChange[], readonly PushSaid[]]>> =
		{
			'many changes without a delivery': (size) => [read(numbers(size)), []],
			'many changes with one delivery': (size) => [read(numbers(size)), [movesOf(numbers(size))]],
			'a long chain of one name': (size) => [[change('main', '0', `${size - 1}`)], [wayOf(numbers(size))]],
		};
	for (const [what, make] of Object.entries(large)) {
		test(`match in time proportional to their number: ${what}`, function () {
			this.timeout(60_000);
			const growth = growthOf((input) => pushesOf(...input), make, 1000);
			assert.ok(growth <= mostGrowth, `twice as much takes ${growth} times as long`);
		});
	}

	testInBoth('neither lose nor repeat a change', () => {
		const name = fc.constantFrom('main', 'next', 'v1');
		const target = fc.constantFrom(a, b, c, undefined);
		const move = fc.tuple(target, target);
		const changes = fc
			.dictionary(name, move)
			.map((all) => Object.entries(all).map(([of, [old, now]]) => change(of, old, now)));
		const push = fc
			.tuple(fc.constantFrom('1', '2', '3', '4'), fc.constantFrom('~bob', '~carol'), fc.dictionary(name, move))
			.map(([id, by, of]) => makePushSaid(id, by, of));
		fc.assert(
			fc.property(changes, fc.array(push, { maxLength: 6 }), (read, said) => {
				const plain = ({ name: of, old, now }: ReferenceChange): string => JSON.stringify([of, old, now]);
				const found = pushesOf(read, said).flatMap((each) => each.changes.map(plain));
				assert.deepEqual(found.toSorted(), read.map(plain).toSorted());
				// Deliveries may be out of order and repeated.
				const others = [...said.toReversed(), ...said];
				assert.deepEqual(told(read, others), told(read, said));
			}),
			{ numRuns: counts({ first: 33, small: 100, full: 10_000 }), seed: seed() },
		);
	});
});
