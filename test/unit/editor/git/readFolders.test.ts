import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { FolderBelongs, FolderMapping } from '../../../../src/editor/git/folderMapping.ts';
import type { FolderSetting } from '../../../../src/editor/git/folderSetting.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Project } from 'sourcehut/port/project.ts';
import { knownProjects } from '../../../../src/store/repositories/knownProjects.ts';
import type { TicketsContext } from '../../../../src/features/tickets/context/ticketsContext.ts';
import type { HostedName } from '../../../../src/engine/text/remoteAddress.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { codeDocument } from '../../../support/codeDocument.ts';
import { fake as fakeOf } from '../../../support/fake.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { inProject, listedProjects, nothingKnown } from '../../../support/makeProject.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../support/fakeForge.ts';
import { fakeGit, fakeRepository, uriAt, type FakeRepository } from '../../../support/fakeGit.ts';
import { fakeStore, idOf, quillWorld, type FakeRepositoryWorld } from '../../../support/fakeRepositories.ts';
import { standFor } from '../../../support/standFor.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { makeTracker, makeUser } from '../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { readFolders } = await import('../../../../src/editor/git/readFolders.ts');

const { newTicketFromHere } = await import('../../../../src/features/tickets/newTicket/newTicketFromHere.ts');
const { referencePlaces } = await import('../../../../src/features/tickets/references/referencePlaces.ts');
const { remoteFolderOf } = await import('../../../../src/features/repositories/files/remoteFolder.ts');
const { uriOfPlace, uriOfSide } = await import('../../../../src/features/repositories/subjects/place.ts');

const never = new AbortController().signal;
const nothing: FolderSetting = { tracker: undefined, list: undefined, repository: undefined };

interface Read {
	readonly world: FakeTrackerWorld;
	readonly clone: FakeRepository;
	readonly setting: { now: FolderSetting };
	readonly clock: ReturnType<typeof fakeClock>;
	readonly of: (path?: string) => Promise<FolderBelongs | undefined>;
}

function reading(kind: 'git' | 'no git' = 'git', projects?: readonly Project[]): Read {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker({ name: 'lantern' }), makeTracker({ owner: makeUser('bob'), name: 'wick' }));
	const clone = fakeRepository('/code');
	resetStub();
	const setting = {
		set now(parts: FolderSetting) {
			const written = (ref: HostedName | undefined): string | undefined => ref && refText(ref);
			stubbed.workspaceSettings.set('forge.folder', {
				tracker: written(parts.tracker),
				list: written(parts.list),
				repository: written(parts.repository),
			});
		},
	};
	const clock = fakeClock();
	const connection = fakeConnection(api);
	if (projects) {
		Object.assign(connection, {
			projects: knownProjects({
				api: { projectsOf: async () => listedProjects(projects) },
				clock,
				resources: nothingKnown,
			}),
		});
	}
	const folders = readFolders(
		fakeConnections(connection),
		kind === 'git' ? fakeGit(clone) : fakeGit(),
		({ path }) => (path.startsWith('/code') ? uriAt('/code') : undefined),
		remoteFolderOf,
		clock,
	);
	return { world, clone, setting, clock, of: (path = '/code/src/a.c') => folders.of(uriAt(path), never) };
}

suite('folder mapping', () => {
	test('takes the repository from the upstream remote of the branch, else from origin', async () => {
		const { clone, of } = reading();
		clone.remotes.push(
			{ name: 'fork', fetchUrl: 'git@git.forge.test:~alice/lantern-fork' },
			{ name: 'origin', fetchUrl: 'https://git.forge.test/~alice/lantern' },
			{ name: 'elsewhere', fetchUrl: 'https://git.other.test/~alice/lantern' },
		);
		assert.deepEqual((await of())?.repository?.ref, { owner: '~alice', name: 'lantern' });
		clone.head = { name: 'main', commit: 'c0ffee', upstream: { remote: 'fork', name: 'main' }, ahead: 2 };
		const { repository } = (await of()) ?? {};
		assert.deepEqual(repository?.ref, { owner: '~alice', name: 'lantern-fork' });
		assert.deepEqual(
			[repository.head, repository.isPushed, repository.connectionKey, repository.foundBy],
			['c0ffee', false, 'sample-alice', { kind: 'remote', name: 'fork' }],
		);
		clone.head = { ...clone.head, ahead: 0 };
		assert.equal((await of())?.repository?.isPushed, true);
		clone.head = { name: 'new', commit: 'c0ffee' };
		assert.equal((await of())?.repository?.isPushed, undefined);
	});

	test('guesses the tracker of the same owner and name after one confirming request', async () => {
		const { world, clone, of } = reading();
		clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~bob/wick' });
		const first = await of();
		assert.deepEqual(first?.tracker, {
			ref: { owner: '~bob', name: 'wick' },
			connectionKey: 'sample-alice',
			foundBy: { kind: 'sameName' },
		});
		const calls = world.calls.length;
		await of();
		assert.equal(world.calls.length, calls);
	});

	test('does not guess a missing tracker, and does not request it again for a while', async () => {
		const { world, clone, clock, of } = reading();
		clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~bob/none' });
		assert.equal((await of())?.tracker, undefined);
		const calls = world.calls.length;
		await of();
		assert.equal(world.calls.length, calls);
		clock.advance(11 * 60_000);
		await of();
		assert.ok(world.calls.length > calls);
	});

	test("guesses the tracker of the fork's upstream first, then the user's own of that name", async () => {
		const { clone, of } = reading();
		clone.remotes.push(
			{ name: 'origin', fetchUrl: 'https://git.forge.test/~alice/wick' },
			{ name: 'upstream', fetchUrl: 'https://git.forge.test/~bob/wick' },
		);
		assert.deepEqual((await of())?.tracker?.ref, { owner: '~bob', name: 'wick' });
		const other = reading();
		other.clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~carol/lantern' });
		// The lookup of this remote reads all own trackers.
		other.clone.remotes.push({ name: 'mine', fetchUrl: 'https://git.forge.test/~alice/nothing' });
		assert.deepEqual((await other.of())?.tracker, {
			ref: { owner: '~alice', name: 'lantern' },
			connectionKey: 'sample-alice',
			foundBy: { kind: 'ownTracker' },
		});
	});

	test('a failure of the forge means no guess and no error', async () => {
		const { world, clone, of } = reading();
		clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~bob/wick' });
		world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });
		};
		assert.equal((await of())?.tracker, undefined);
		assert.ok((await of())?.repository);
	});

	test('guesses the tracker by the repository of the setting before those from git', async () => {
		const { clone, setting, of } = reading();
		clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~alice/lantern' });
		setting.now = { ...nothing, repository: { owner: '~bob', name: 'wick' } };
		assert.deepEqual((await of())?.tracker?.ref, { owner: '~bob', name: 'wick' });
	});

	test('a failure expires sooner than a response', async () => {
		const { world, clone, clock, of } = reading();
		clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~bob/wick' });
		world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });
		};
		assert.equal((await of())?.tracker, undefined);
		world.before = () => undefined;
		assert.equal((await of())?.tracker, undefined);
		clock.advance(31_000);
		assert.deepEqual((await of())?.tracker?.ref, { owner: '~bob', name: 'wick' });
	});

	test('takes tracker and list from the project of the repository, after settings and git', async () => {
		const lantern = { owner: '~alice', name: 'lantern' };
		const project: Project = {
			name: 'Lamps',
			repositories: [inProject(lantern)],
			trackers: [inProject({ owner: '~bob', name: 'lamp-bugs' })],
			lists: [
				inProject({ owner: '~bob', name: 'lamps-announce' }),
				inProject({ owner: '~bob', name: 'lantern-devel' }),
			],
		};
		const other: Project = { ...project, name: 'Other', repositories: [inProject({ ...lantern, name: 'wick' })] };
		const { clone, setting, clock, of } = reading('git', [other, project]);
		clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~alice/lantern' });
		const foundBy = { kind: 'project', name: 'Lamps' };
		const found = await of();
		assert.deepEqual(found?.tracker, {
			ref: { owner: '~bob', name: 'lamp-bugs' },
			connectionKey: 'sample-alice',
			foundBy,
		});
		assert.deepEqual(found?.list?.ref, { owner: '~bob', name: 'lantern-devel' });
		const names = async (): Promise<readonly unknown[]> => {
			const { tracker, list } = (await of()) ?? assert.fail('nothing is known');
			return [tracker?.ref.name, list?.ref.name];
		};
		setting.now = { ...nothing, tracker: { owner: '~alice', name: 'said' } };
		assert.deepEqual(await names(), ['said', 'lantern-devel']);
		setting.now = nothing;
		clone.configs.push({ key: 'sendemail.to', value: '~bob/wick-devel@lists.forge.test' });
		clock.advance(61_000);
		assert.deepEqual(await names(), ['lamp-bugs', 'wick-devel']);
	});

	test('takes the project’s tracker with the name of the repository, else keeps the guess', async () => {
		const lantern = { owner: '~alice', name: 'lantern' };
		const several = ['one', 'two'].map((name) => inProject({ owner: '~bob', name }));
		const project: Project = { name: 'Lamps', repositories: [inProject(lantern)], trackers: several, lists: several };
		const { clone, of } = reading('git', [project]);
		clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~alice/lantern' });
		const found = await of();
		assert.deepEqual([found?.tracker?.foundBy.kind, found?.list], ['sameName', undefined]);
		const named = { ...project, trackers: [...several, inProject({ owner: '~bob', name: 'lantern' })] };
		const other = reading('git', [named]);
		other.clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~alice/lantern' });
		assert.deepEqual((await other.of())?.tracker?.ref, { owner: '~bob', name: 'lantern' });
	});

	test('takes the list from sendemail.to, and reads git’s configuration at most once a minute', async () => {
		const { clone, clock, of } = reading();
		clone.configs.push({ key: 'sendemail.to', value: '~bob/wick-devel@lists.forge.test' });
		assert.deepEqual((await of())?.list?.ref, { owner: '~bob', name: 'wick-devel' });
		await of();
		assert.equal(clone.calls.filter((call) => call === 'getConfigs').length, 1);
		clock.advance(61_000);
		await of();
		assert.equal(clone.calls.filter((call) => call === 'getConfigs').length, 2);
	});

	test('the setting overrides everything from git', async () => {
		const { clone, setting, of } = reading();
		clone.remotes.push({ name: 'origin', fetchUrl: 'https://git.forge.test/~alice/lantern' });
		setting.now = {
			tracker: { owner: '~bob', name: 'wick' },
			list: { owner: '~bob', name: 'l' },
			repository: { owner: '~bob', name: 'r' },
		};
		const belongs = await of();
		assert.deepEqual(
			[belongs?.tracker?.ref.name, belongs?.list?.ref.name, belongs?.repository?.ref.name],
			['wick', 'l', 'r'],
		);
		assert.deepEqual(belongs?.tracker?.foundBy, { kind: 'setting' });
	});

	test('uses only the setting without git, as in an untrusted folder', async () => {
		const { setting, of } = reading('no git');
		const bare = await of();
		assert.deepEqual(
			[bare?.root.path, bare?.repository, bare?.tracker, bare?.list],
			['/code', undefined, undefined, undefined],
		);
		setting.now = { ...nothing, tracker: { owner: '~bob', name: 'wick' } };
		assert.deepEqual((await of())?.tracker?.ref, { owner: '~bob', name: 'wick' });
	});

	test('a file outside all folders has no mapping', async () => {
		const { of } = reading();
		assert.equal(await of('/elsewhere/a.c'), undefined);
		assert.equal(await of('/coder/a.c').then((belongs) => belongs?.root.path), '/code');
	});
});

suite('mapping of a remote folder', () => {
	const connectionKey = 'sample-alice';
	const ref = { owner: '~alice', name: 'quill' };
	const at = { ref: 'main', path: 'src/main.c' };

	interface Remote {
		readonly desk: TicketsContext;
		readonly folders: FolderMapping;
		readonly world: FakeRepositoryWorld;
	}

	/** `~alice/quill` with a tracker of its name, open only as a remote folder. */
	function remote(): Remote {
		const { world: trackers, api } = fakeTrackers();
		trackers.trackers.push(makeTracker({ name: 'quill' }));
		const fake = quillWorld();
		const store = fakeStore(fake);
		const connection = standFor<Connection>(
			Object.create(fakeConnection(api), { repositories: { value: store, enumerable: true } }),
		);
		const connections = fakeConnections(connection);
		const folders = readFolders(connections, fakeGit(), () => undefined, remoteFolderOf, fakeClock());
		const desk = fakeOf<TicketsContext>({ connections, folders, findGit: fakeGit() });
		return { desk, folders, world: fake.world };
	}

	test('has the repository, the shown commit and the tracker of the same name', async () => {
		const { folders } = remote();
		const belongs = await folders.of(uriOfPlace({ kind: 'entry', connectionKey, ref, at }), never);
		assert.deepEqual(belongs?.tracker, { ref, connectionKey, foundBy: { kind: 'sameName' } });
		const { root, ...repository } = belongs.repository ?? {};
		const head = idOf(120);
		assert.deepEqual(repository, { ref, connectionKey, foundBy: { kind: 'address' }, head, isPushed: true });
		assert.deepEqual([root?.path, belongs.root.path], ['/~alice/quill@main', '/~alice/quill@main']);
	});

	test('covers the folder, a side of a comparison and a commit', async () => {
		const { folders } = remote();
		const id = idOf(7);
		const found = await Promise.all(
			[
				uriOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: 'main', path: '' } }),
				uriOfSide({ kind: 'entry', connectionKey, ref, at: { ref: id, path: at.path } }),
				uriOfPlace({ kind: 'commit', connectionKey, ref, id }),
			].map((uri) => folders.of(uri, never)),
		);
		assert.deepEqual(
			found.map((belongs) => [belongs?.repository?.root.path, belongs?.repository?.head, belongs?.tracker?.ref.name]),
			[
				['/~alice/quill@main', idOf(120), 'quill'],
				['/~alice/quill', id, 'quill'],
				[`/~alice/quill/.commits/${id}/Commit ${id.slice(0, 7)}`, undefined, 'quill'],
			],
		);
	});

	test('makes #12 in its files a ticket of that tracker', async () => {
		const text = '#12 makes it longer\n';
		const uri = uriOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: 'main', path: 'README.md' } });
		const places = await referencePlaces(remote().desk, { text, languageId: 'markdown', uri }, never);
		assert.deepEqual(
			places.map(({ subject }) => subject),
			[{ kind: 'ticket', connectionKey, ref: { tracker: ref, id: 12 } }],
		);
	});

	test('gives a new ticket its tracker without a question, and a permalink to the commit', async () => {
		resetStub();
		const { desk } = remote();
		const uri = uriOfPlace({ kind: 'entry', connectionKey, ref, at });
		const document = codeDocument(uri.path, '// TODO: trim\nint wick;\n', { uri });
		const subject = { kind: 'here', uri: document.uri.toString(), line: 0 };
		const { tracker, text } = await newTicketFromHere(desk, subject, never);
		assert.deepEqual([tracker, stubbed.asked], [{ kind: 'tracker', connectionKey, ref }, []]);
		const address = `https://git.forge.test/~alice/quill/tree/${idOf(120)}/item/src/main.c#L1-3`;
		assert.equal(text, `trim\n\n[src/main.c:1-3](${address})\n\n\`\`\`c\n// TODO: trim\nint wick;\n\`\`\`\n`);
	});

	test('lacks the commit while the forge is away, and does not exist without its account', async () => {
		const { folders, world } = remote();
		world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
		};
		const belongs = await folders.of(uriOfPlace({ kind: 'entry', connectionKey, ref, at }), never);
		assert.deepEqual([belongs?.repository?.ref, belongs?.repository?.head], [ref, undefined]);
		const others = uriOfPlace({ kind: 'entry', connectionKey: 'sample-bob', ref, at });
		assert.equal(await folders.of(others, never), undefined);
	});
});
