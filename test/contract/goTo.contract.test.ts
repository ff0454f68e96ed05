import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { PageHost } from '../../src/editor/pages/pageHost.ts';
import type { Connection } from '../../src/store/connection.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { listsHere } from '../../src/store/lists/knownLists.ts';
import { ticketIndexer } from '../../src/store/tickets/index/ticketIndexer.ts';
import { PathIndexes } from '../../src/store/repositories/find/pathIndexes.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { protocolSuite, systemClock, type ContractForge } from '../support/contractForge.ts';
import { fakeConnection, fakeConnections, keptNames } from '../support/fakeConnection.ts';
import { unresting } from '../support/fakeFind.ts';
import { quietProblems, ticketsParts } from '../support/fakeTicketsParts.ts';
import { journalInMemory } from '../support/journalInMemory.ts';
import { storeOf } from '../support/repositoryAccount.ts';
import { standFor } from '../support/standFor.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';

const { goToFeature } = await import('../../src/features/goTo/goTo.ts');
const { knownTickets } = await import('../../src/features/tickets/find/knownTickets.ts');
const { knownPosts } = await import('../../src/features/lists/goToPosts.ts');
const { knownFiles } = await import('../../src/features/repositories/find/findFeature.ts');
const { knownPeople } = await import('../../src/features/people/peopleFeature.ts');

const never = new AbortController().signal;

/** A sample forge account with its trackers, lists and repositories in the cache. */
async function knowingAccount(forge: ContractForge): Promise<Connection> {
	const { me, trackers, lists } = forge.as('alice');
	const tickets = new TicketStore({ api: trackers, me, followed: keptNames(), clock: systemClock });
	const connection: Connection = {
		...Object.defineProperties(fakeConnection(trackers, me), {
			...Object.fromEntries(
				['texts', 'reviews', 'people', 'wholeFiles', 'webhooks'].map((name) => [name, { value: undefined }]),
			),
			lists: { value: new ListStore({ journal: journalInMemory(), api: lists, me, followed: keptNames() }) },
			repositories: { value: storeOf(forge, 'alice') },
		}),
		tickets,
		index: ticketIndexer(tickets, systemClock, undefined, undefined, 0),
	};
	for (const { name, owner } of (await tickets.ownTrackers(never)).items) {
		await tickets.readAllTickets({ owner: owner?.canonicalName ?? me, name }, never);
	}
	await connection.lists.own.first(never);
	await connection.lists.subscriptions.first(never);
	for (const ref of listsHere(connection.lists.collection).refs) {
		await connection.lists.patchsets(ref).first(never);
		await connection.lists.posts(ref).first(never);
	}
	await connection.repositories.own.first(never);
	return connection;
}

const drawing = 'not drawn yet';

/** Two queries for a title: a long word from each half, and prefixes of its three rarest words. */
function queriesFor(title: string, uses: ReadonlyMap<string, number>): readonly string[] {
	const words = wordsOf(title);
	const half = Math.ceil(words.length / 2);
	const longest = (some: readonly string[]): string => some.toSorted((a, b) => b.length - a.length)[0] ?? '';
	const rarest = words.toSorted((one, other) => (uses.get(one) ?? 0) - (uses.get(other) ?? 0)).slice(0, 3);
	const beginnings = rarest.map((word) => word.slice(0, 5)).join(' ');
	return [`${longest(words.slice(0, half))} ${longest(words.slice(half))}`, beginnings];
}

function wordsOf(text: string): readonly string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

protocolSuite('Go to… over all cached objects', { firstIn: 'graphql' }, ({ forge }) => {
	test('finds an object by two of its words among the first three rows', async function () {
		this.timeout(120_000);
		resetStub();
		const connection = await knowingAccount(forge());
		const connections = fakeConnections(connection);
		const parts = { ...ticketsParts(connections, standFor<PageHost>({})), connections };
		const indexes = new PathIndexes(connections, unresting);
		const known = [
			knownTickets(parts),
			knownPosts(parts.connections, parts.problems),
			knownFiles(connections, quietProblems, indexes),
			knownPeople(parts.connections, parts.problems),
		];
		const feature = goToFeature({
			connections,
			known,
			front: () => undefined,
			openArchive: () => assert.fail(),
			recent: () => [],
			clock: systemClock,
			problems: quietProblems,
		});
		const all = [
			...known.flatMap(({ names }) => names()).map(({ ref }) => ref.name),
			...known.flatMap((each) =>
				each.sources().flatMap((source) => Array.from({ length: source.count }, (_, at) => source.thing(at).text)),
			),
		];
		const uses = new Map<string, number>();
		for (const word of all.flatMap(wordsOf)) {
			uses.set(word, (uses.get(word) ?? 0) + 1);
		}
		const step = Math.max(1, Math.floor(all.length / 200));
		const wanted = all.filter((_, at) => at % step === 0).slice(0, 200);
		const done = feature.commands['forge.goTo']?.(undefined, never, []);
		const box = stubbed.boxes.at(-1);
		assert.ok(box);
		let [tries, found] = [0, 0];
		for (const text of wanted) {
			const [title = ''] = text.split(' · ');
			for (const query of queriesFor(title, uses)) {
				box.prompt = drawing;
				box.type(query);
				while (box.prompt === drawing) {
					await turn();
				}
				tries += 1;
				const isThere = box.items.slice(0, 3).some(({ description }) => description?.includes(title));
				found += Number(isThere);
			}
		}
		box.hide();
		await assert.rejects(done ?? Promise.resolve());
		assert.ok(wanted.length > 150);
		assert.ok(found / tries > 0.9, `${found} of ${tries}`);
	});
});
