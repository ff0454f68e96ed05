import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { allItems, allPages, problemFrom, wanted } from '../../../support/contractForge.ts';
import { factsInMemory } from 'sourcehut/port/learntFacts.ts';
import { keptFacts } from '../../../../src/store/shared/keptNames.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { gitServer, inRepository } from '../../../support/gitServer.ts';
import type { Answered, AskedQuery } from '../../../support/graphqlServer.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const createdAt = '2026-11-21T11:42:35.037767Z';

function wireRepository(change: object = {}): object {
	return {
		id: 7,
		created: createdAt,
		updated: createdAt,
		owner: { canonicalName: '~alice' },
		name: 'lantern',
		description: null,
		visibility: 'UNLISTED',
		...change,
	};
}

function blobId(text: string): string {
	return createHash('sha1')
		.update(`blob ${Buffer.byteLength(text)}\0${text}`)
		.digest('hex');
}

function refused(message: string, extensions?: object): Answered {
	return { data: { user: { repository: null } }, errors: [{ message, ...(extensions ? { extensions } : {}) }] };
}

function movedTo(name: string): Answered {
	return refused('moved', { code: 'ERR_REDIRECT', redirect: ['~alice', name] });
}

suite('repositories over GraphQL', () => {
	test('a former name is requested once, and then the new one', async () => {
		const { api, server } = gitServer({
			answer({ variables: { name } }) {
				return name === 'lantern' ? movedTo('lamp') : inRepository(wireRepository({ name: 'lamp' }));
			},
		});
		assert.equal((await api.repository(lantern, wanted())).name, 'lamp');
		assert.equal((await api.repository(lantern, wanted())).name, 'lamp');
		assert.deepEqual(
			server.asked.map(({ variables }) => variables['name']),
			['lantern', 'lamp', 'lamp'],
		);
	});

	test('a new name is stored for the next window, and checked again after a day or when it is gone', async () => {
		const names = keptNames();
		let nowMs = Date.UTC(2026, 10, 23, 12);
		let name = 'lamp';
		const openWindow = (): ReturnType<typeof gitServer> =>
			gitServer({
				learnt: keptFacts(names),
				clock: { nowMs: () => nowMs },
				answer: ({ variables }) =>
					variables['name'] === name
						? inRepository(wireRepository({ name }))
						: variables['name'] === 'lantern'
							? movedTo(name)
							: inRepository(null),
			});
		const asked = async (): Promise<readonly unknown[]> => {
			const { api, server } = openWindow();
			assert.deepEqual(api.nowCalled?.(lantern).name, (await api.repository(lantern, wanted())).name);
			return server.asked.map(({ variables }) => variables['name']);
		};
		const { api } = openWindow();
		assert.deepEqual(api.nowCalled?.(lantern), lantern);
		await api.repository(lantern, wanted());
		// Each window checks the former name once, along with the others.
		assert.deepEqual(await asked(), ['lamp', 'lantern']);
		nowMs += 24 * 60 * 60 * 1000;
		const later = openWindow();
		await later.api.repository(lantern, wanted());
		assert.deepEqual(
			later.server.asked.map(({ variables }) => variables['name']),
			['lantern', 'lamp'],
		);
		name = 'candle';
		const gone = openWindow();
		assert.equal((await gone.api.repository(lantern, wanted())).name, 'candle');
		assert.deepEqual(
			gone.server.asked.map(({ variables }) => variables['name']),
			['lamp', 'lantern', 'candle'],
		);
		assert.deepEqual(await asked(), ['candle', 'lantern']);
		assert.equal(names.all().length, 1);
	});

	test('a former name that now belongs to another repository leads there, in another window too', async () => {
		const names = keptNames();
		let isGiven = false;
		const openWindow = (): ReturnType<typeof gitServer> =>
			gitServer({
				learnt: keptFacts(names),
				clock: { nowMs: () => Date.UTC(2026, 10, 23, 12) },
				answer: ({ variables: { name } }) =>
					name === 'lantern' && !isGiven ? movedTo('lamp') : inRepository(wireRepository({ name })),
			});
		assert.equal((await openWindow().api.repository(lantern, wanted())).name, 'lamp');
		isGiven = true;
		const { api, server } = openWindow();
		const read = async (): Promise<string> => (await api.repository(lantern, wanted())).name;
		assert.deepEqual(await Promise.all([read(), read()]), ['lantern', 'lantern']);
		assert.equal(await read(), 'lantern');
		assert.equal(server.asked.filter(({ variables: { name } }) => name === 'lamp').length, 1);
		assert.deepEqual([api.nowCalled?.(lantern), names.all()], [lantern, []]);
	});

	test('a stored rename stays if the lookup fails', async () => {
		const learnt = factsInMemory();
		learnt.learn(`renamed:~alice/lantern>~alice/lamp@${Date.UTC(2026, 10, 23)}`, true);
		const { api, server } = gitServer({
			learnt,
			clock: { nowMs: () => Date.UTC(2026, 10, 23) },
			answer: ({ variables: { name } }) =>
				name === 'lamp' ? inRepository(wireRepository({ name })) : refused('internal system error'),
		});
		assert.equal((await api.repository(lantern, wanted())).name, 'lamp');
		assert.equal((await api.repository(lantern, wanted())).name, 'lamp');
		assert.equal(server.asked.length, 4);
	});

	test('an invalid stored name is ignored', async () => {
		const learnt = factsInMemory();
		for (const to of ['~alice/..', 'alice/x', '~alice/a/b', '~alice/', '']) {
			learnt.learn(`renamed:~alice/lantern>${to}@${Date.UTC(2026, 10, 23)}`, true);
		}
		const { api } = gitServer({ learnt, clock: { nowMs: () => Date.UTC(2026, 10, 23) } });
		assert.deepEqual(api.nowCalled?.(lantern), lantern);
	});

	test('a repository that regained its former name works under it', async () => {
		let called = 'lamp';
		const { api, server } = gitServer({
			answer: ({ variables: { name } }) => (name === called ? inRepository(wireRepository({ name })) : movedTo(called)),
		});
		assert.equal((await api.repository(lantern, wanted())).name, 'lamp');
		called = 'lantern';
		assert.equal((await api.repository(lantern, wanted())).name, 'lantern');
		assert.deepEqual(api.nowCalled?.(lantern), lantern);
		const before = server.asked.length;
		assert.equal((await api.repository(lantern, wanted())).name, 'lantern');
		assert.equal(server.asked.length, before + 1);
	});

	test('circular renames, and those to no repository, end as not found', async () => {
		const circle = gitServer({ answer: ({ variables: { name } }) => movedTo(name === 'lantern' ? 'lamp' : 'lantern') });
		assert.deepEqual(await problemFrom(circle.api.repository(lantern, wanted())), { kind: 'notFound' });
		assert.ok(circle.server.asked.length < 10);
		for (const redirect of [['~alice', '../x'], ['~alice'], ['~alice', 'a', 'b'], 'lamp']) {
			const odd = gitServer({ answer: () => refused('moved', { code: 'ERR_REDIRECT', redirect }) });
			assert.notEqual((await problemFrom(odd.api.repository(lantern, wanted()))).kind, undefined);
			assert.equal(odd.server.asked.length, 1);
		}
	});

	test('a rename ends once a new repository takes the name', async () => {
		let isMade = false;
		const { api } = gitServer({
			answer({ name, variables }) {
				if (name === 'CreateRepository') {
					isMade = true;
					return { data: { createRepository: wireRepository({ id: 8 }) } };
				}
				return variables['name'] === 'lantern' && !isMade
					? movedTo('lamp')
					: inRepository(wireRepository({ name: variables['name'] }));
			},
		});
		assert.equal((await api.repository(lantern, wanted())).name, 'lamp');
		await api.create({ name: 'lantern' }, wanted());
		assert.equal((await api.repository(lantern, wanted())).name, 'lantern');
	});

	test('text is used if it matches its blob id, and otherwise fetched as bytes', async () => {
		const whole = 'caf\u00e9 and more';
		const asked: Record<string, string> = { whole: '\ufeffbom\r\n', cut: whole };
		const { api, server } = gitServer({
			answer({ variables: { path } }) {
				const text = asked[String(path)];
				assert.ok(text !== undefined);
				const told = path === 'cut' ? text.slice(0, 4) : text;
				return inRepository({ id: 7, path: { object: { __typename: 'TextBlob', id: blobId(text), text: told } } });
			},
			files: (path) => (path === `/query/blob/7/${blobId(whole)}` ? whole : undefined),
		});
		const read = async (path: string): Promise<string> =>
			new TextDecoder('utf-8', { ignoreBOM: true }).decode(
				(await api.blob(lantern, { ref: 'main', path }, wanted())).bytes,
			);
		assert.equal(await read('whole'), '\ufeffbom\r\n');
		assert.equal(await read('cut'), whole);
		assert.deepEqual(server.names(), ['File', 'File', `/query/blob/7/${blobId(whole)}`]);
	});

	test('bytes of another file are rejected', async () => {
		const { api } = gitServer({
			answer: () => inRepository({ id: 7, path: { object: { __typename: 'BinaryBlob', id: blobId('one') } } }),
			files: () => 'other',
		});
		const problem = await problemFrom(api.blob(lantern, { ref: 'main', path: 'a' }, wanted()));
		assert.equal(problem.kind, 'notUnderstood');
	});

	test('a file with an invalid id is never fetched', async () => {
		for (const id of ['\ud800', 'main', '', '../../elsewhere']) {
			const { api, server } = gitServer({
				answer: () => inRepository({ id: 7, path: { object: { __typename: 'BinaryBlob', id } } }),
				files: () => 'other',
			});
			const blob = api.blob(lantern, { ref: 'main', path: 'a' }, wanted());
			const why = { kind: 'notUnderstood', where: 'content', why: 'the id of the file is none' };
			assert.deepEqual(await problemFrom(blob), why);
			assert.deepEqual(server.names(), ['File']);
		}
	});

	test('concurrent files share one query, and a missing one does not fail the others', async () => {
		const known = new Map(['a', 'b', 'c'].map((text) => [blobId(text), text]));
		const answer = ({ variables }: AskedQuery): Answered => {
			const ids = variables['ids'];
			assert.ok(Array.isArray(ids));
			const texts = ids.map((id) => known.get(String(id)));
			return texts.includes(undefined)
				? refused('lookup object: object not found')
				: inRepository({
						id: 7,
						objects: texts.map((text = '') => ({ __typename: 'TextBlob', id: blobId(text), text })),
					});
		};
		const { api, server } = gitServer({ answer });
		const read = async (id: string): Promise<string> =>
			Buffer.from((await api.blobById({ ref: lantern, id, at: undefined }, wanted())).bytes).toString();
		assert.deepEqual(await Promise.all([...known.keys()].map(read)), ['a', 'b', 'c']);
		assert.deepEqual(server.names(), ['Files']);
		const missing = 'f'.repeat(40);
		const results = await Promise.allSettled([...known.keys(), missing].map(read));
		assert.deepEqual(
			results.map(({ status }) => status),
			['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
		);
		assert.deepEqual(await problemFrom(read(missing)), { kind: 'notFound' });
	});

	test('a failed path among eight of a commit is unread, and the others load', async () => {
		const entry = { id: blobId('text'), name: 'a', mode: 0o100_644 };
		const { api } = gitServer({
			answer: () => ({
				...inRepository({
					revparse_single: {
						tree: Object.fromEntries(
							Array.from({ length: 8 }, (_, at) => [`e${at}`, at === 2 || at === 5 ? null : entry]),
						),
					},
				}),
				errors: [{ message: 'internal', path: ['user', 'repository', 'revparse_single', 'tree', 'e2'] }],
			}),
		});
		const places = Array.from({ length: 8 }, (_, at) => ({ ref: 'main', path: `${at}` }));
		const found = (await api.entriesAt?.(lantern, places, wanted())) ?? [];
		assert.deepEqual(
			found.map((each) => (typeof each === 'object' ? each.name : each)),
			['a', 'a', 'unread', 'a', 'a', undefined, 'a', 'a'],
		);
	});

	test('a list restarts with half the page size after a server error on a later page', async () => {
		const all = Array.from({ length: 330 }, (_, id) => id + 1);
		const asked: string[] = [];
		let isSlow = true;
		const { api } = gitServer({
			answer({ variables }) {
				// A cursor keeps its original page size, regardless of the argument (docs/protocol.md#graphql-repositories).
				const { cursor: start } = variables;
				const [from = 0, count = Number(variables['count'])] =
					typeof start === 'string' ? start.split(':').map(Number) : [];
				asked.push(`${from}+${count}`);
				if (isSlow && from >= 200 && count > 50) {
					return { status: 502, text: '' };
				}
				const results = all.slice(from, from + count).map((id) => wireRepository({ id, name: `r${id}` }));
				const cursor = from + count < all.length ? `${from + count}:${count}` : null;
				return { data: { user: { repositories: { cursor, results } } } };
			},
		});
		const pages = await allPages(api.repositories(undefined, wanted()));
		assert.deepEqual(
			pages.flatMap(({ items }) => items.map(({ id }) => id)),
			all,
		);
		assert.equal(pages.at(-1)?.completeness.kind, 'complete');
		const beginning = ['0+50', '50+50', '100+50', '150+50', '200+50', '250+50', '300+50'];
		assert.deepEqual(asked, ['0+100', '100+100', '200+100', '200+100', ...beginning]);
		isSlow = false;
		asked.length = 0;
		await allItems(api.repositories(undefined, wanted()));
		assert.deepEqual(asked, ['0+100', '100+100', '200+100', '300+100']);
	});

	test('a restarted list that repeats a page ends as incomplete', async () => {
		const asked: unknown[] = [];
		const { api } = gitServer({
			answer({ variables: { cursor, count } }) {
				asked.push(cursor ?? count);
				if (cursor === 'second') {
					return { status: 502, text: '' };
				}
				assert.ok(asked.length < 20, 'it asks without an end');
				const next = count === 100 ? 'second' : 'again';
				return { data: { user: { repositories: { cursor: next, results: [wireRepository()] } } } };
			},
		});
		const pages = await allPages(api.repositories(undefined, wanted()));
		assert.notEqual(pages.at(-1)?.completeness.kind, 'complete');
		assert.deepEqual(asked, [100, 'second', 'second', 50, 'again', 'again']);
	});

	test('a server error splits requests for files and repositories into halves', async () => {
		const texts = Array.from({ length: 7 }, (_, at) => `text ${at}`);
		const files = gitServer({
			answer({ variables }) {
				const ids = variables['ids'];
				assert.ok(Array.isArray(ids));
				const found = texts.filter((text) => ids.includes(blobId(text)));
				return ids.length > 4
					? { status: 502 }
					: inRepository({ id: 7, objects: found.map((text) => ({ __typename: 'TextBlob', id: blobId(text), text })) });
			},
		});
		const read = async (text: string): Promise<string> =>
			Buffer.from(
				(await files.api.blobById({ ref: lantern, id: blobId(text), at: undefined }, wanted())).bytes,
			).toString();
		assert.deepEqual(await Promise.all(texts.map(read)), texts);
		assert.deepEqual(files.server.names(), ['Files', 'Files', 'Files']);

		const counts: unknown[] = [];
		const { api } = gitServer({
			answer({ variables: { count } }) {
				counts.push(count);
				return count === 100
					? { status: 502 }
					: { data: { user: { repositories: { cursor: null, results: [wireRepository({ name: 'lantern' })] } } } };
			},
		});
		assert.equal((await allItems(api.repositories('~alice', wanted()))).length, 1);
		assert.deepEqual(counts, [100, 50]);
	});

	test('the log continues from its last commit and from parents outside any page', async () => {
		const commit = (id: string, ...parents: readonly string[]): object => ({
			id: id.repeat(40),
			shortId: id.repeat(7),
			author: { name: 'Alice', email: 'a@forge.test', time: createdAt },
			committer: { name: 'Alice', email: 'a@forge.test', time: createdAt },
			message: id,
			tree: { id: '0'.repeat(40) },
			parents: parents.map((parent) => ({ id: parent.repeat(40) })),
		});
		const pages: Readonly<Record<string, { readonly cursor: string | null; readonly results: readonly object[] }>> = {
			first: { cursor: 'sealed', results: [commit('a', 'b', 'c'), commit('b', 'd')] },
			['b'.repeat(40)]: { cursor: null, results: [commit('b', 'd'), commit('d')] },
			['c'.repeat(40)]: { cursor: null, results: [commit('c', 'd'), commit('d')] },
		};
		const { api, server } = gitServer({
			answer: ({ name, variables: { from } }) =>
				name === 'RootTree'
					? inRepository(null)
					: inRepository({ log: pages[typeof from === 'string' ? from : 'first'] }),
		});
		const log = await allPages(api.log(lantern, undefined, wanted()));
		assert.deepEqual(
			log.flatMap(({ items }) => items.map(({ message }) => message)),
			['a', 'b', 'd', 'c'],
		);
		assert.deepEqual(log.at(-1)?.completeness, { kind: 'complete' });
		assert.deepEqual(server.names(), ['Log', 'Log', 'Log']);
	});

	test('a repository without commits has an empty log, and an unknown revision is not found', async () => {
		const { api } = gitServer({
			answer({ name }) {
				switch (name) {
					case 'Repository':
						return inRepository(wireRepository());
					case 'Head':
						return inRepository({ HEAD: null });
					default:
						return refused('reference not found');
				}
			},
		});
		assert.deepEqual(await allItems(api.log(lantern, undefined, wanted())), []);
		assert.deepEqual(await problemFrom(allItems(api.log(lantern, 'nope', wanted()))), { kind: 'notFound' });
	});

	test('a write to another person’s repository is not allowed, and one to a missing repository is not found', async () => {
		for (const isThere of [true, false]) {
			let looks = 0;
			const { api } = gitServer({
				answer({ name }) {
					if (name !== 'Repository') {
						return { data: null, errors: [{ message: 'Not found', extensions: { code: 'ERR_NOT_FOUND' } }] };
					}
					looks += 1;
					return inRepository(looks === 1 || isThere ? wireRepository() : null);
				},
			});
			assert.deepEqual(await problemFrom(api.remove(lantern, wanted())), {
				kind: isThere ? 'notAllowed' : 'notFound',
			});
		}
	});

	test('a write never follows a rename', async () => {
		const { api, server } = gitServer({
			answer: ({ variables: { name } }) =>
				name === 'lantern' ? movedTo('lamp') : inRepository(wireRepository({ name: 'lamp' })),
		});
		await api.repository(lantern, wanted());
		assert.deepEqual(await problemFrom(api.remove(lantern, wanted())), { kind: 'notFound' });
		assert.deepEqual(server.names(), ['Repository', 'Repository', 'Repository']);
	});

	test('an update sends only changed fields', async () => {
		const { api, server } = gitServer({
			answer: ({ name }) =>
				name === 'Repository'
					? inRepository(wireRepository())
					: { data: { updateRepository: wireRepository({ name: 'lamp' }) } },
		});
		await api.update(lantern, { description: '', visibility: 'private' }, wanted());
		assert.deepEqual(server.asked.at(-2)?.variables, {
			id: 7,
			input: { description: null, visibility: 'PRIVATE' },
		});
	});
});
