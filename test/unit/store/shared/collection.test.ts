import assert from 'node:assert/strict';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import type { ShortUser } from 'sourcehut/port/user.ts';
import { Collection } from '../../../../src/store/shared/collection.ts';
import { keptNames } from '../../../support/fakeConnection.ts';

interface Thing {
	readonly name: string;
	readonly text: string;
	readonly owner?: ShortUser;
	readonly rid?: string;
}

const never = new AbortController().signal;
const mine = { owner: '~alice', name: 'Alpha' };
const others = { owner: '~bob', name: 'Beta' };

function collection(
	doesCaseCount: boolean,
	ask: (ref: NamedRef) => Promise<Thing> = () => assert.fail('nothing is asked'),
) {
	const made: Collection<Thing> = new Collection<Thing>({
		me: '~alice',
		followed: keptNames(),
		refOf: () => undefined,
		doesCaseCount,
		async *openOwn() {
			yield { items: [{ name: 'Alpha', text: 'listed' }], seen: 1, completeness: { kind: 'complete' } };
		},
		ask,
		ownArrived: (page) => void made.own.take(page),
		arrived: (ref, thing, stamp) => void made.keep(ref, thing, stamp),
	});
	return made;
}

suite('collection of owned things', () => {
	for (const ref of [mine, others]) {
		test(`ignores case for ${ref.owner}, unless the server distinguishes it`, () => {
			const small = { ...ref, name: ref.name.toLowerCase() };
			for (const doesCaseCount of [false, true]) {
				const things = collection(doesCaseCount);
				assert.equal(things.keep(ref, { name: ref.name, text: 'a' }), 'new');
				assert.equal(things.known(small)?.text, doesCaseCount ? undefined : 'a');
				assert.equal(things.remove(small), !doesCaseCount);
				assert.equal(things.known(ref)?.text, doesCaseCount ? 'a' : undefined);
			}
		});

		test(`reports whether a thing of ${ref.owner} is new, changed or the same`, () => {
			const things = collection(false);
			const keep = (text: string): string => things.keep(ref, { name: ref.name, text });
			assert.deepEqual([keep('a'), keep('a'), keep('b')], ['new', 'same', 'changed']);
		});

		test(`keeps a newer thing of ${ref.owner} during a read, and reads it once`, async () => {
			const answer = Promise.withResolvers<Thing>();
			let asked = 0;
			const things = collection(false, () => {
				asked += 1;
				return answer.promise;
			});
			const reads = [things.read(ref, never), things.read({ ...ref, name: ref.name.toUpperCase() }, never)];
			things.keep(ref, { name: ref.name, text: 'newer' });
			answer.resolve({ name: ref.name, text: 'older' });
			assert.deepEqual(
				(await Promise.all(reads)).map(({ text }) => text),
				['newer', 'newer'],
			);
			assert.equal(asked, 1);
		});
	}

	test('adds an own thing to its list, and reloads after it forgets', async () => {
		const things = collection(false);
		assert.equal((await things.own.first(never)).items[0]?.text, 'listed');
		assert.equal(things.keep({ ...mine, name: 'Gamma' }, { name: 'Gamma', text: 'made' }), 'listed');
		things.keep(others, { name: 'Beta', text: 'a' });
		things.forget();
		assert.deepEqual([things.own.known(), things.known(others)], [undefined, undefined]);
	});

	test('finds a renamed thing by its resource id, under its current name', () => {
		const things = collection(true);
		const owner = { canonicalName: '~bob', name: 'bob' };
		things.keep(mine, { name: 'Alpha', text: '', rid: 'a' });
		things.keep(others, { name: 'Beta', text: '', owner, rid: 'b' });
		assert.deepEqual([things.refOfRid('a'), things.refOfRid('b'), things.refOfRid('c')], [mine, others, undefined]);
		const renamed = { ...others, name: 'Gamma' };
		things.keep(renamed, { name: 'Gamma', text: '', owner, rid: 'b' });
		assert.deepEqual(things.refOfRid('b'), renamed);
	});
});
