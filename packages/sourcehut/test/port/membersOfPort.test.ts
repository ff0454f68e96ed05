import assert from 'node:assert/strict';
import { everywhere } from '../../src/port/instance.ts';
import { openNet, type Net } from '../../src/net.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { sampleInstance } from '../../../../test/support/fakeConnection.ts';
import { membersInBoth, membersOf, otherOffers, toldOffers } from '../../../../test/support/offers.ts';

suite('members of the port', () => {
	let net: Net;
	setup(() => {
		net = openNet({ transport: directTransport, clock: systemClock, random: Math.random });
	});
	teardown(() => net.close());

	function spoken(protocol: 'rest' | 'graphql'): ReadonlySet<string> {
		const instance = { ...sampleInstance, protocols: everywhere(protocol) };
		return membersOf(net.connectForge({ instance, me: '~alice', tokenFor: () => 'never sent' }));
	}

	test('docs/port.md lists the members of one protocol only, and counts the shared ones', () => {
		const [rest, graphql] = [spoken('rest'), spoken('graphql')];
		const alone = [...new Set([...rest, ...graphql])]
			.filter((member) => !rest.has(member) || !graphql.has(member))
			.toSorted((a, b) => a.localeCompare(b, 'en'))
			.map((member) => [member, rest.has(member), graphql.has(member)]);
		assert.deepEqual(
			toldOffers.filter(([name]) => name.includes('.')),
			alone,
		);
		assert.equal(membersInBoth, [...rest].filter((member) => graphql.has(member)).length);
	});

	test('docs/port.md has a row for each test requirement that is not a member', () => {
		const told = toldOffers.flatMap(([name]) => (name.includes('.') ? [] : [name]));
		assert.deepEqual(told, otherOffers);
	});
});
