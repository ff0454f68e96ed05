import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Forge } from '../../../src/forge/forge.ts';
import { everywhere } from '../../../src/forge/instance.ts';
import { openNet, type Net } from '../../../src/net.ts';
import { root } from '../../harness/places.ts';
import { directTransport, systemClock } from '../../support/contractForge.ts';
import { sampleInstance } from '../../support/fakeConnection.ts';

/** Names of what a forge's services can do, such as `trackers.assign`; what is absent is left out. */
function membersOf({ users, trackers, lists, repositories, webhooks }: Forge): ReadonlySet<string> {
	return new Set(
		Object.entries({ users, trackers, lists, repositories, webhooks }).flatMap(([service, members]) =>
			Object.entries(members).flatMap(([member, value]) => (value === undefined ? [] : [`${service}.${member}`])),
		),
	);
}

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

	test('docs/forges.md says which one protocol alone has, and how many both have', () => {
		const [rest, graphql] = [spoken('rest'), spoken('graphql')];
		const page = readFileSync(join(root, 'docs/forges.md'), 'utf8');
		const rows = [...page.matchAll(/^\| `(?<member>\w+\.\w+)` \| (?<inRest>yes|–) \| (?<inGraphql>yes|–) \|/gm)];
		const told = rows.map(({ groups }) => [groups?.['member'], groups?.['inRest'], groups?.['inGraphql']]);
		const word = (has: boolean): string => (has ? 'yes' : '–');
		const alone = [...new Set([...rest, ...graphql])]
			.filter((member) => !rest.has(member) || !graphql.has(member))
			.toSorted((a, b) => a.localeCompare(b, 'en'))
			.map((member) => [member, word(rest.has(member)), word(graphql.has(member))]);
		assert.deepEqual(told, alone);
		const inBoth = [...rest].filter((member) => graphql.has(member)).length;
		assert.equal(Number(/Both protocols have the other (\d+) members/.exec(page)?.[1]), inBoth);
	});
});
