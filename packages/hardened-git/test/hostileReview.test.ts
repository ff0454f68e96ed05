import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyCommands } from '../src/applyCommands.ts';
import { filesInTheWay } from '../src/applyObstacles.ts';
import { applySeries, stageSolved, takeBack } from '../src/applySeries.ts';
import { removeWorktree, ownWorktrees } from '../src/ownWorktrees.ts';
import { branchIn, commitsSince, headCommit, madeCommits, stagedFiles } from '../src/applyState.ts';
import { cloneRepository } from '../src/cloneRepository.ts';
import {
	blobsOfClone,
	filesOfCommit,
	hasCommit,
	contentsInClone,
	patchesInClone,
	referencesInClone,
} from '../src/readClone.ts';
import { fetchIntoClone } from '../src/fetchIntoClone.ts';
import { gitCommands } from '../src/gitCommands.ts';
import { historyCommands } from '../src/historyCommands.ts';
import { hardenedGit, type HardenedGit } from '../src/hardenedGit.ts';
import { usualAddresses } from '../src/mailmap.ts';
import {
	diffStat,
	formattedPatches,
	localCommits,
	mergeBase,
	revisionCommit,
	statedBase,
	subjectPrefix,
} from '../src/localSeries.ts';
import { gitVersion, mailSetup } from '../src/mailSetup.ts';
import { ownIdentity, sendMail } from '../src/sendMail.ts';
import { scratchApply } from '../src/scratchApply.ts';
import { pushCommit } from '../src/pushCommit.ts';
import { recipientCommands, runRecipientCommand } from '../src/recipientCommands.ts';
import { remotePlaces } from '../src/remotePlaces.ts';
import { remoteHistory } from '../src/remoteHistory.ts';
import { remoteReads } from '../src/remoteReads.ts';
import { stagedConflicts } from '../src/conflicts.ts';
import { dropTemplateOnBranch, putTemplateOnBranch } from '../src/templateOnBranch.ts';
import { openSmtpDoor } from 'sample-forge/mail/smtpDoor.ts';
import { applyHere, stepNow, stopNow } from '../../../test/support/applyHere.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { trappedClone, type TrappedClone } from '../../../test/support/trappedClone.ts';

const never = new AbortController().signal;
const address = 'git@git.forge.test:~alice/quill';
const readAddress = 'git@git.forge.test:~alice/read';

/** All steps of a reviewer and a contributor in a clone that would run a program at each step. */
suite('review in a clone that configures programs', function () {
	this.timeout(120_000);
	let machine: TestMachine;
	let clone: TrappedClone;
	let git: HardenedGit;
	let temp: string;
	const done = new Set<string>();

	suiteSetup(() => {
		machine = testMachine();
		writeFileSync(join(machine.home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@forge.test\n');
		clone = trappedClone(machine);
		// Writing files needs all objects; hostileClone.test.ts covers missing ones.
		machine.feed(clone.root, 'lost\n', 'hash-object', '-w', '--stdin');
		temp = join(clone.root, 'temp');
		mkdirSync(temp);
		const bare = join(machine.folder, 'bare');
		mkdirSync(bare);
		machine.plain(bare, 'init', '-q', '--bare', '-b', 'main');
		const ssh = join(machine.folder, 'own-ssh');
		writeFileSync(
			ssh,
			`#!/bin/sh\ncase "$*" in *upload-pack*read*) service=upload-pack;; *) service=receive-pack;; esac\nexec git "$service" '${bare}'\n`,
			{ mode: 0o755 },
		);
		const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
		const plain = hardenedGit({ ...machine.parts, environment });
		git = {
			run(command, ...rest) {
				done.add(command.kind);
				return plain.run(command, ...rest);
			},
			stream(command, ...rest) {
				done.add(command.kind);
				return plain.stream(command, ...rest);
			},
		};
		clone.sprung();
	});
	suiteTeardown(() => machine.remove());
	teardown(() => assert.deepEqual(clone.sprung(), [], 'a program of the clone was run'));

	/** Runs a step with plain git and discards the traps it triggers. */
	function apart<T>(work: () => T): T {
		assert.deepEqual(clone.sprung(), []);
		const made = work();
		clone.sprung();
		return made;
	}
	const mailbox = (branch: string): Buffer =>
		apart(() => Buffer.from(machine.plain(clone.root, 'format-patch', '--stdout', `${clone.commit}..${branch}`)));
	const idOf = (name: string): string => apart(() => machine.plain(clone.root, 'rev-parse', name).trim());

	test('reads commits, files and patches', async () => {
		const { root, commit } = clone;
		assert.equal(await hasCommit(git, root, commit, never), true);
		assert.ok((await referencesInClone(git, root, never)).some(({ name }) => name === 'side'));
		await remotePlaces({ machine: machine.parts, git, tempFolder: temp }, root, never);
		for await (const files of filesOfCommit(git, root, commit, never)) {
			const read = blobsOfClone(
				git,
				root,
				files.map(({ id }) => id),
				never,
			);
			for (const { id } of files) {
				assert.ok(await read(id));
			}
		}
		assert.equal((await contentsInClone(git, root, [idOf('HEAD:plain.txt')], never)).size, 1);
		const patches = [];
		for await (const patch of patchesInClone(git, root, { commit: idOf('side'), count: 10 }, never)) {
			patches.push(patch.commit);
		}
		assert.deepEqual(patches, [idOf('side'), commit]);
	});

	test('finds the commit of a line, its patch, and the text of a file', async () => {
		const { root } = clone;
		const side = idOf('side');
		const outputs = await Promise.all(
			[gitCommands.blame(side, 'plain.txt', 1), gitCommands.patch(side), gitCommands.contentAt(side, 'plain.txt')].map(
				async (command) => (await git.run(command, { folder: root }, never)).output.toString('utf8'),
			),
		);
		assert.match(outputs[0] ?? '', /^[0-9a-f]{40} 1 1 /);
		assert.match(outputs[1] ?? '', /\ndiff --git /);
		assert.equal(
			outputs[2],
			apart(() => machine.plain(root, 'cat-file', 'blob', 'side:plain.txt')),
		);
	});

	test('tries a series on a commit and on files without changing the clone', async () => {
		const { root, commit } = clone;
		const [parts, series] = [
			{ git, tempFolder: temp },
			{ mailbox: mailbox('side'), isBare: false, isMerging: true, hash: 'sha1' as const, paths: ['a'] },
		];
		const before = machine.plain(root, 'for-each-ref');
		const onCommit = await scratchApply(parts, { kind: 'commit', root, commit }, series, never);
		assert.deepEqual([onCommit.commits.length, onCommit.stop], [1, undefined]);
		const onFiles = await scratchApply(parts, { kind: 'files', files: new Map() }, series, never);
		assert.deepEqual([onFiles.commits, onFiles.stop?.at], [[], 1]);
		assert.equal(machine.plain(root, 'for-each-ref'), before);
	});

	test('applies a series in a worktree, inspects and removes it', async () => {
		const { root, commit } = clone;
		const target = { kind: 'worktree', parent: machine.folder, name: 'applied', branch: 'review', commit } as const;
		const request = { root, mailbox: mailbox('side'), target };
		const keepBegun = (): Promise<void> => Promise.reject(new Error('the disk is full'));
		await assert.rejects(applySeries(git, { ...request, keepBegun }, never), /the disk is full/);
		apart(() => assert.equal(machine.plain(root, 'branch', '--list', 'review'), ''));
		const outcome = await applySeries(git, request, never);
		assert.ok(outcome.kind === 'applied', JSON.stringify(outcome));
		assert.equal(await commitsSince(git, outcome.folder, { from: outcome.before, to: outcome.after }, never), 1);
		assert.equal(
			(await madeCommits(git, outcome.folder, { from: outcome.before, to: outcome.after }, never)).length,
			1,
		);
		assert.equal(await branchIn(git, outcome.folder, never), 'review');
		const [own] = await ownWorktrees(git, root, never);
		assert.deepEqual([own?.branch, own?.hasChanges], ['review', false]);
		const removal = await removeWorktree(git, { root, folder: outcome.folder, ignored: [] }, never);
		assert.equal(removal.kind, 'removed');
		assert.equal(readdirSync(machine.folder).includes('applied'), false);
	});

	test('skips, aborts and continues a series with a conflict', async () => {
		const { root } = clone;
		const target = {
			kind: 'worktree',
			parent: machine.folder,
			name: 'conflict',
			branch: 'conflict',
			commit: idOf('other-side'),
		} as const;
		const first = await applySeries(git, { root, mailbox: mailbox('side'), target }, never);
		assert.ok(first.kind === 'stopped', JSON.stringify(first));
		assert.deepEqual(
			first.state.conflicts.map(({ path }) => path),
			['both.merge'],
		);
		const own = { conflicts: first.state.conflicts, paths: ['both.merge'] };
		const { folder } = first;
		assert.equal((await stepNow(git, folder, 'skip', own)).kind, 'applied');
		const again = async (): Promise<string> => (await applyHere(git, { root: folder, mailbox: mailbox('side') })).kind;
		assert.equal(await again(), 'stopped');
		assert.equal((await stepNow(git, folder, 'abort', own)).kind, 'aborted');
		assert.equal(await again(), 'stopped');
		writeFileSync(join(folder, 'both.merge'), 'a lamp y\n');
		await stageSolved(git, folder, ['both.merge'], await stopNow(git, folder, own), never);
		assert.deepEqual((await stagedConflicts(git, folder, never)).paths, ['both.merge']);
		const series = { mailbox: mailbox('side'), isBare: false, isMerging: true, hash: 'sha1', paths: ['a'] } as const;
		const staged = await stagedFiles(git, folder, never);
		assert.deepEqual(
			staged.map(({ path }) => path),
			['both.merge'],
		);
		const commit = await headCommit(git, folder, never);
		const resolved = { mailbox: mailbox('side'), staged, conflicts: ['both.merge'] };
		await scratchApply({ git, tempFolder: temp }, { kind: 'commit', root: folder, commit, resolved }, series, never);
		const done = await stepNow(git, folder, 'continue', own);
		assert.equal(done.kind, 'applied');
		const after = { commit: done.kind === 'applied' ? done.after : '', branch: 'conflict' };
		assert.deepEqual(await takeBack(git, folder, { before: commit, after }, never), { kind: 'takenBack' });
		assert.equal(await headCommit(git, folder, never), commit);
		assert.deepEqual(await takeBack(git, folder, { before: commit, after }, never), {
			kind: 'refused',
			why: 'moved',
			checkouts: [after, { ...after, commit }],
		});
		apart(() => machine.plain(folder, 'reset', '-q', '--hard', after.commit));
		apart(() => {
			assert.equal(machine.plain(folder, 'show', 'HEAD:both.merge'), 'a lamp y\n');
			writeFileSync(join(folder, 'plain.txt'), 'staged\n');
			machine.plain(folder, 'add', 'plain.txt');
		});
		writeFileSync(join(folder, 'both.merge'), 'changed\n');
		assert.deepEqual(await filesInTheWay(git, folder, ['both.merge', 'plain.txt'], never), [
			{ path: 'plain.txt', why: 'staged' },
			{ path: 'both.merge', why: 'changed' },
		]);
		const refused = await applyHere(git, { root: folder, mailbox: mailbox('side') });
		assert.deepEqual(refused, { kind: 'refused', why: 'dirty' });
	});

	test('pushes a commit', async () => {
		const request = { folder: clone.root, commit: idOf('side'), address, remote: 'origin', branch: 'main' };
		assert.deepEqual(await pushCommit({ git, tempFolder: temp, askPass: undefined }, request, never), {
			kind: 'pushed',
		});
	});

	test('fetches the branch of a pull request', async () => {
		const parts = { git, tempFolder: temp, askPass: undefined };
		const request = { folder: clone.root, address: readAddress, what: 'main', remote: 'forge-desk', branch: 'main' };
		assert.deepEqual(await fetchIntoClone(parts, request, never), { kind: 'fetched', commit: idOf('side') });
	});

	test('reads references and trees from the server', async () => {
		const { references, tree } = remoteReads({ git, tempFolder: temp });
		assert.deepEqual(await references([readAddress], never), [{ name: 'refs/heads/main', target: idOf('side') }]);
		const id = machine.plain(clone.root, 'rev-parse', `${idOf('side')}^{tree}`).trim();
		assert.equal((await tree([readAddress], id, never))?.id, id);
	});

	test('reads the history of a file and its content from the server', async () => {
		const { versions, contents } = remoteHistory({
			git,
			tempFolder: temp,
			root: join(temp, 'histories'),
			nowMs: Date.now,
		});
		const at = { room: 'account', addresses: [readAddress] };
		const found = await versions(at, { paths: ['plain.txt'], sinceMs: 0, reach: 'near' }, never);
		const [{ id } = { id: '' }] = found.versions;
		assert.equal(id, idOf('side:plain.txt'));
		assert.equal((await contents(at, [id], never)).size, 1);
	});

	test('formats commits as patches', async () => {
		const { root, commit } = clone;
		const tip = idOf('side');
		const commits = await localCommits(git, root, { since: commit, tip, count: 10 }, never);
		assert.equal(commits.length, 1);
		const stated = (await statedBase(git, root, commit, never)).commit;
		const who = { tag: 'PATCH', isNumbered: false, from: 'Alice <alice@forge.test>' };
		const [patch] = await formattedPatches(git, root, { base: commit, tip, ...who, commits, stated }, never);
		assert.match(patch?.bytes ?? '', /^Subject: \[PATCH\] Change side$/m);
		assert.doesNotMatch(patch?.bytes ?? '', /evil/);
		assert.equal(await revisionCommit(git, root, 'refs/remotes/origin/main', never), tip);
		assert.equal(await mergeBase(git, root, [tip, commit], never), commit);
		assert.match(await diffStat(git, root, { base: commit, tip }, never), /^ 1 file changed, /m);
		assert.equal(await subjectPrefix(git, root, never), undefined);
	});

	test('reads commands for recipients, and runs only the one that it is given', async () => {
		const { root } = clone;
		const { commands, headers } = await recipientCommands(git, root, never);
		assert.deepEqual(
			[...commands.map(({ setting, isOwn }) => [setting, isOwn]), headers],
			[['sendemail.toCmd', false], ['sendemail.ccCmd', false], 'sendemail.headerCmd'],
		);
		// Git within the command inherits our settings; only filters of the clone would still run.
		const text = 'git log -1 --show-signature signed >&2; git ls-remote ssh://forge.test/x; printf "%s\\n"';
		const [first] = commands;
		assert.ok(first);
		const mail = Buffer.from('From x\n');
		const { code, output } = await runRecipientCommand(
			{ git, tempFolder: temp },
			root,
			{ ...first, text },
			mail,
			never,
		);
		assert.match(output.toString('utf8'), /^.*0001\.patch\n$/);
		assert.equal(code, 0);
	});

	test('looks up people in the mailmap', async () => {
		const eve = { name: 'Eve', address: 'eve@forge.test' };
		assert.equal((await usualAddresses(git, clone.root, [eve], never))(eve), 'eve@forge.test');
	});

	test('sends a mail to the named recipients only', async () => {
		const received: (readonly string[])[] = [];
		await using stack = new AsyncDisposableStack();
		const door = await openSmtpDoor(
			() => ({
				hostName: 'mail.example.org',
				maxBytes: 1_000_000,
				refuseRecipient: () => undefined,
				deliver: (recipients) => {
					received.push(recipients);
					return undefined;
				},
			}),
			0,
		);
		stack.defer(() => door.close());
		const own = (name: string, value: string): string =>
			machine.plain(machine.home, 'config', '--global', `sendemail.${name}`, value);
		own('smtpServer', door.host);
		own('smtpServerPort', String(door.port));
		own('smtpDomain', 'alice.example.org');
		assert.deepEqual(await ownIdentity(git, temp, undefined, undefined, never), {
			name: 'Alice',
			address: 'alice@forge.test',
		});
		const mail = {
			source: 'Subject: Re: [PATCH] lamp\nTo: list@forge.test\nCc: bob@forge.test\n\nCc: eve@evil.test\n',
			from: 'Alice <alice@forge.test>',
			to: ['list@forge.test'],
			cc: ['bob@forge.test'],
			encoding: '7bit',
		} as const;
		assert.deepEqual(await sendMail({ git, tempFolder: temp, askPass: undefined }, mail, never), { kind: 'sent' });
		assert.deepEqual(received, [['list@forge.test', 'bob@forge.test']]);
	});

	test('reads the version of git and how it sends mail', async () => {
		assert.match(await gitVersion({ git, tempFolder: temp }, never), /^\d+\.\d+/);
		const { isInstalled, server, sender } = await mailSetup({ git, tempFolder: temp }, undefined, never);
		assert.deepEqual([isInstalled, server.kind, sender], [true, 'host', 'known']);
	});

	test('adds a template to a branch, drops it, and starts a clone inside the clone', async () => {
		const { root } = clone;
		await putTemplateOnBranch(git, { root, branch: 'side' }, (own) => own, never);
		await dropTemplateOnBranch(git, { root, branch: 'side' }, never);
		const wish = { address, parent: root, name: 'inner' };
		// The server behind this address accepts only pushes.
		await assert.rejects(cloneRepository(git, wish, () => undefined, never));
	});

	test('covers all git commands', () => {
		const all = Object.keys({ ...gitCommands, ...applyCommands, ...historyCommands });
		assert.deepEqual([...done].toSorted(), all.toSorted());
	});
});
