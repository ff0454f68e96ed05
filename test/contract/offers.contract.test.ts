import assert from 'node:assert/strict';
import { protocolSuite } from '../support/contractForge.ts';
import { isOffered, isTold, membersOf, otherOffers, toldOffers } from '../support/offers.ts';

protocolSuite('what a forge can do', {}, ({ dialect, forge }) => {
	test('has every member that docs/port.md tells of, and none that it says is absent', () => {
		const had = membersOf(forge().as('alice'));
		const told = toldOffers.flatMap(([name]) => (name.includes('.') && isTold(dialect, name) ? [name] : []));
		const absent = toldOffers.flatMap(([name]) => (name.includes('.') && !isTold(dialect, name) ? [name] : []));
		assert.deepEqual(
			told.filter((name) => !had.has(name)),
			[],
		);
		assert.deepEqual(
			absent.filter((name) => had.has(name)),
			[],
		);
	});

	for (const offer of otherOffers) {
		test(`has ${offer} or not, as docs/port.md says`, () => {
			assert.equal(isOffered(forge().as('alice'), offer), isTold(dialect, offer));
		});
	}
});
