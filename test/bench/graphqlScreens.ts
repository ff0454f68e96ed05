import '../support/vscodeStub.ts';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import * as v from 'valibot';
import { gitReads } from '../../src/app/machine/gitReads.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import type { Document } from 'sourcehut/graphql/transport/document.ts';
import {
	listLog,
	listReferences,
	readFiles,
	readRoot,
	readRepository,
	readTrees,
} from 'sourcehut/graphql/git/gitDocuments.ts';
import { listPatchsets, readPatchset, readPatchsetThread } from 'sourcehut/graphql/lists/listDocuments.ts';
import { listLabels, listTicketsInFull, readTimeline } from 'sourcehut/graphql/todo/todoDocuments.ts';
import { instanceOf } from '../support/contractForge.ts';
import { testMachine, type TestMachine } from '../support/localMachine.ts';
import { pushToForge } from '../support/pushToForge.ts';
import { patchsetPage, repositoryPage, rootFolder, ticketPage, ticketStore } from '../support/screens.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { counted, mostFigure, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';
import { openPackagedNet } from './packagedNet.ts';

const sizes = {
	full: { tickets: 1000, latencyMs: 10, rounds: 21, indexRounds: 3 },
	smallest: { tickets: 60, latencyMs: 0, rounds: 1, indexRounds: 1 },
} as const;

const never = new AbortController().signal;
const many = { owner: '~alice', name: 'many' };
const lantern = { owner: '~alice', name: 'lantern' };
const website = { owner: '~alice', name: 'website' };
const devel = { owner: '~alice', name: 'lantern-devel' };

/** A forge of one dialect, and an account there. */
interface World {
	readonly sample: SampleForge;
	readonly forge: Forge;
	readonly patchset: PatchsetRef;
}

/** A screen with cold caches, and the fewest requests for all of its data. */
interface Screen {
	readonly name: string;
	readonly rounds: number;
	readonly ours: (world: World) => Promise<void>;
	readonly bare: (bare: Bare, world: World) => Promise<void>;
}

/** Requests without a client around them. */
interface Bare {
	readonly ask: (area: ContentArea, ...questions: readonly Asked[]) => Promise<unknown>;
	readonly get: (path: string) => Promise<void>;
	/** All of a folder by its id, verified by git, into a new folder. */
	readonly fetchTree: (name: string, id: string) => Promise<void>;
}

interface Asked {
	readonly document: Document;
	readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Requests and time of screens over GraphQL, against a bare loop that sends the fewest requests and parses the answers;
 * also the requests over REST. Both use git where only git can read.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	await using owned = new AsyncDisposableStack();
	const machine = testMachine();
	owned.defer(() => machine.remove());
	const net = openPackagedNet(gitReads(machine.git, machine.folder));
	owned.defer(() => net.close());
	const agent = new Agent({ connections: 1 });
	owned.defer(() => agent.close());
	const { tickets, latencyMs } = sizes[size];
	const openWorld = async (dialect: 'graphql' | 'field'): Promise<World> => {
		const sample = await startSampleForge({ dialect, latencyMs, tickets, files: 12 });
		owned.defer(() => sample.stop());
		const names = Array.from({ length: 88 }, (_, at) => `n${at}`);
		const files = Object.fromEntries(names.map((name) => [name, name]));
		pushToForge(sample, { repository: 'many', branch: 'master', message: 'Names', files });
		const forge = net.connectForge({ instance: instanceOf(sample), me: '~alice', tokenFor: () => sample.tokens.alice });
		return { sample, forge, patchset: { list: devel, id: await longestSeries(forge) } };
	};
	const [world, rest] = [await openWorld('graphql'), await openWorld('field')];
	const bare = bareOf(world.sample, agent, machine);
	const figures: Figure[] = [];
	for (const screen of screensOf(size)) {
		figures.push(...(await figuresOf(screen, { world, rest, bare, latencyMs })));
	}
	return figures;
}

async function figuresOf(
	{ name, rounds, ours, bare: fewest }: Screen,
	{
		world,
		rest,
		bare,
		latencyMs,
	}: { readonly world: World; readonly rest: World; readonly bare: Bare; readonly latencyMs: number },
): Promise<readonly Figure[]> {
	const mine = await requestsOf(world, () => ours(world));
	const theirs = await requestsOf(world, () => fewest(bare, world));
	const overRest = await requestsOf(rest, () => ours(rest));
	const comparison = await compare(
		{ name: 'ours', run: () => ours(world) },
		{ name: 'bare loop', run: () => fewest(bare, world) },
		rounds,
	);
	return [
		mostFigure(
			`Requests over GraphQL, to the fewest: ${name}`,
			mine / theirs,
			{ most: 1, digits: 2 },
			`${mine} to ${theirs}; ${overRest} over REST`,
		),
		ratioFigure(`Time over GraphQL, to the fewest requests at ${latencyMs} ms latency: ${name}`, 1.1, comparison),
	];
}

async function requestsOf({ sample }: World, work: () => Promise<void>): Promise<number> {
	await sample.forgetRequests();
	await work();
	return sample.requestCount();
}

function screensOf(size: Size): readonly Screen[] {
	const { tickets, rounds, indexRounds } = sizes[size];
	return [
		{
			name: 'ticket page',
			rounds,
			ours: ({ forge }) => ticketPage(forge, { tracker: website, id: 31 }),
			async bare({ ask }) {
				const at = { owner: 'alice', name: 'website' };
				await ask(
					'todo',
					{ document: readTimeline.document, variables: { ...at, id: 31 } },
					{ document: listLabels.document, variables: at },
				);
			},
		},
		{
			name: `first index of ${counted(tickets)} tickets with their timelines`,
			rounds: indexRounds,
			async ours({ forge }) {
				const store = ticketStore(forge);
				await store.reads(many).fill(undefined, never);
				const list = store.ticketList(many);
				for (let gap = list.gap(); gap !== undefined; gap = list.gap()) {
					await store.reads(many).fill(gap, never);
				}
				if (store.mostRechecked === 0) {
					for (const { ticket } of list.indexed()) {
						await store.rereadEvents({ tracker: many, id: ticket.id }, 'renew', never);
					}
				}
				store.dispose();
			},
			async bare({ ask }) {
				for (let cursor: string | null | undefined; cursor !== null;) {
					const variables = { owner: 'alice', name: 'many', cursor };
					const answer = await ask('todo', { document: listTicketsInFull.document, variables });
					cursor = v.parse(ticketsPage, answer).q0_user.tracker.tickets.cursor;
				}
			},
		},
		{
			name: 'page of the longest patchset',
			rounds,
			ours: ({ forge, patchset }) => patchsetPage(forge, patchset),
			async bare({ ask, get }, { patchset: { id } }) {
				const mailbox = get(`/query/patchset/${id}.mbox`);
				const answer = await ask(
					'lists',
					{ document: readPatchset.document, variables: { id } },
					{ document: readPatchsetThread.document, variables: { id } },
					{ document: listPatchsets.document, variables: { owner: 'alice', name: devel.name } },
				);
				const { root } = v.parse(threadOfPatchset, answer).q1_patchset.thread;
				await Promise.all([mailbox, get(`/query/thread/${root.id}.mbox`)]);
			},
		},
		{
			name: 'repository page with its README',
			rounds,
			ours: ({ forge }) => repositoryPage(forge, lantern),
			async bare({ ask }) {
				const at = { owner: 'alice', name: 'lantern' };
				// Two fields that open one repository crash the service, so each needs its own request.
				const [, , answer] = await Promise.all([
					ask(
						'git',
						{ document: readRepository.document, variables: at },
						{ document: listReferences.document, variables: at },
					),
					ask('git', { document: listLog.document, variables: at }),
					ask('git', { document: readRoot.document, variables: { ...at, revision: 'HEAD' } }),
				]);
				const { results } = v.parse(rootOfRepository, answer).q0_user.repository.revparse_single.tree.entries;
				const readme = results.find(({ name }) => name === 'README.md');
				await ask('git', { document: readFiles.document, variables: { ...at, ids: [readme?.id] } });
			},
		},
		{
			// The API names the folder's id; git negotiates with the server, then fetches the folder.
			name: 'folder of 100 entries with its commit, to the questions and `git fetch`',
			rounds,
			async ours({ forge }) {
				await rootFolder(forge, many, 'master');
			},
			async bare({ ask, fetchTree }) {
				const at = { owner: 'alice', name: 'many' };
				// The commit is shown with the folder, and names its tree.
				const answer = await ask('git', { document: listLog.document, variables: { ...at, from: 'master' } });
				const [newest] = v.parse(newestCommit, answer).q0_user.repository.log.results;
				await ask('git', { document: readTrees.document, variables: { ...at, ids: [newest?.tree.id] } });
				await fetchTree('many', newest?.tree.id ?? '');
			},
		},
	];
}

const ticketsPage = v.object({
	q0_user: v.object({ tracker: v.object({ tickets: v.object({ cursor: v.nullable(v.string()) }) }) }),
});
const inRoot = <T extends v.ObjectEntries>(tree: T) =>
	v.object({ repository: v.object({ revparse_single: v.object({ tree: v.object(tree) }) }) });
const entry = v.object({ name: v.string(), id: v.string() });
const rootOfRepository = v.object({ q0_user: inRoot({ entries: v.object({ results: v.array(entry) }) }) });
const newestCommit = v.object({
	q0_user: v.object({
		repository: v.object({ log: v.object({ results: v.array(v.object({ tree: v.object({ id: v.string() }) })) }) }),
	}),
});
const threadOfPatchset = v.object({
	q1_patchset: v.object({ thread: v.object({ root: v.object({ id: v.number() }) }) }),
});

async function longestSeries({ lists }: Forge): Promise<number> {
	let longest = { id: 0, length: 0 };
	for await (const { items } of lists.patchsets(devel, never)) {
		for (const { id } of items) {
			for await (const patches of lists.patches({ list: devel, id }, never)) {
				longest = patches.items.length > longest.length ? { id, length: patches.items.length } : longest;
			}
		}
		break;
	}
	return longest.id;
}

function bareOf({ areas, tokens }: SampleForge, dispatcher: Agent, machine: TestMachine): Bare {
	const authorization = `Bearer ${tokens.alice}`;
	return {
		async ask(area, ...questions) {
			const parts = questions.map(({ document }, at) => document.beside(`q${at}_`, () => false));
			const declared = parts.map((part) => part?.declarations).join(' ');
			const query = `query Bare(${declared}){${parts.map((part) => part?.selection).join(' ')}}`;
			const variables = Object.fromEntries(
				questions.flatMap(({ variables: own }, at) =>
					Object.entries(own).map(([name, value]) => [`q${at}_${name}`, value]),
				),
			);
			const { body } = await request(`${areas[area]}/query`, {
				dispatcher,
				method: 'POST',
				headers: { authorization, 'content-type': 'application/json' },
				body: JSON.stringify({ query, variables }),
			});
			const answer = v.parse(v.looseObject({ data: v.looseObject({}) }), JSON.parse(await body.text()));
			if ('errors' in answer) {
				throw new Error(`The bare loop is not understood: ${JSON.stringify(answer['errors'])}`);
			}
			return answer.data;
		},
		async get(path) {
			const { body } = await request(`${areas.lists}${path}`, { dispatcher, headers: { authorization } });
			await body.text();
		},
		async fetchTree(name, id) {
			const folder = await mkdtemp(join(machine.folder, 'bare-'));
			const git = (...args: readonly string[]): Promise<unknown> => run('git', args, { cwd: folder });
			await mkdir(join(folder, 'objects'));
			await mkdir(join(folder, 'refs'));
			await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
			await git('--git-dir=.', 'fetch', '-q', '--filter=tree:0', '--no-tags', `${areas.git}/~alice/${name}`, id);
			await git('--git-dir=.', 'cat-file', 'tree', id);
			await rm(folder, { recursive: true });
		},
	};
}

const run = promisify(execFile);
