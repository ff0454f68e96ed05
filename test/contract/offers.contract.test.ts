import assert from 'node:assert/strict';
import { protocolSuite } from '../support/contractForge.ts';
import { isOffered, isTold, membersOf, otherOffers, toldOffers } from '../support/offers.ts';

protocolSuite('forge capabilities', { inBoth: true }, ({ dialect, forge }) => {
	test('the port has every member that docs/port.md lists, and none that it excludes', () => {
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
		test(`${offer} matches docs/port.md`, () => {
			assert.equal(isOffered(forge().as('alice'), offer), isTold(dialect, offer));
		});
	}
});
