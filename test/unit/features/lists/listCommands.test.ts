import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { CommandTable } from '../../../../src/editor/commands/feature.ts';
import type { LinkSource } from '../../../../src/editor/links/linkCommands.ts';
import { ForgeError, isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeConnections, keptNames } from '../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../support/fakeLists.ts';
import { listsParts } from '../../../support/fakeListsParts.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { listCommands } = await import('../../../../src/features/lists/listCommands.ts');
const { exportCommands } = await import('../../../../src/features/patches/apply/exportPatchset.ts');
const { pullCommands } = await import('../../../../src/features/patches/pull/pullChanges.ts');
const { listLinks } = await import('../../../../src/features/lists/goToPosts.ts');

const never = new AbortController().signal;
const connectionKey = 'sample-alice';
const devel = { owner: '~alice', name: 'devel' };
const bobs = { owner: '~bob', name: 'bobs' };

interface Desk {
	readonly world: FakeListWorld;
	readonly run: (command: keyof CommandTable, on?: unknown, ...others: readonly unknown[]) => Promise<void>;
	readonly links: LinkSource;
	/** Ids of opened messages. */
	readonly opened: number[];
	readonly followed: ReturnType<typeof keptNames>;
	readonly connections: ReturnType<typeof fakeConnections>;
}

function desk(signedIn = true): Desk {
	const { world, api } = fakeLists();
	world.lists.push(makeList(), makeList({ name: 'bobs', owner: makeUser('bob') }));
	world.patchsets.set('~alice/devel', [
		makePatchset({ id: 2, subject: 'Two' }),
		makePatchset({ id: 1, subject: 'One' }),
	]);
	world.patchsets.set('~bob/bobs', [makePatchset({ id: 3, subject: 'Three' })]);
	world.series.set(
		2,
		[1, 2].map((at) => makeMail({ id: 20 + at, subject: `[PATCH ${at}/2] Part ${at}`, isPatch: true })),
	);
	world.series.set(3, [makeMail({ id: 31, subject: '[PATCH] Three', isPatch: true })]);
	const followed = keptNames('~bob/bobs');
	const connections = signedIn ? fakeConnections(listConnection(api, '~alice', followed)) : fakeConnections();
	const parts = listsParts(connections);
	const opened: number[] = [];
	const commands: CommandTable = {
		...listCommands(
			parts,
			async ({ id }) => void opened.push(id),
			() => Promise.reject(new Error('No conversation is opened here')),
		),
		...pullCommands(parts),
		...exportCommands(parts),
	};
	return {
		world,
		opened,
		followed,
		connections,
		links: listLinks(parts),
		run: async (command, on, ...others) => commands[command]?.(on, never, on === undefined ? [] : [on, ...others]),
	};
}

function writes({ calls }: FakeListWorld): readonly string[] {
	return calls.filter((call) => /^(?:status|subscribe|unsubscribe) /.test(call));
}

suite('list commands', () => {
	setup(() => resetStub());

	test('snooze all selected patchsets, end that, and take the last one back', async () => {
		const { connections, run } = desk();
		const snoozes = connections.byKey(connectionKey)?.snoozes ?? assert.fail();
		const patchset = (id: number): unknown => ({ kind: 'patchset', connectionKey, ref: { list: devel, id } });
		const snoozed = (): readonly unknown[] => [1, 2].map((id) => (snoozes.of({ list: devel, id }, 1) ? 'snoozed' : ''));
		stubbed.answers.push('Until a New Version');
		await run('forge.patchsets.snooze', patchset(1), patchset(2));
		assert.deepEqual(
			[snoozed(), stubbed.shown],
			[['snoozed', 'snoozed'], ['2 patchsets: snoozed until a new version']],
		);
		await run('forge.patchsets.unsnooze', patchset(1));
		assert.deepEqual(snoozed(), ['', 'snoozed']);
		await run('forge.patchsets.undo', patchset(1));
		assert.deepEqual(snoozed(), ['snoozed', 'snoozed']);
		stubbed.answers.push('Enter a Date or a Duration…', '3d');
		await run('forge.patchsets.snooze', patchset(2));
		assert.match(String(stubbed.shown.at(-1)), /^1 patchset: snoozed until .*2026/);
	});

	test('show the changes of a pull request as a comparison if its repository is on a known forge', async () => {
		const { world, run } = desk();
		const [since, tip] = ['1'.repeat(40), '2'.repeat(40)];
		const asked = (repository: string, upTo = `for you to fetch changes up to ${tip}:`): string =>
			`The following changes since commit ${since}:\n\n  x\n\nare available in the Git repository at:\n\n  ${repository}\n\n${upTo}\n`;
		const show = async (text: string): Promise<void> => {
			world.mails.push(makeMail({ id: 50 + world.mails.length, subject: '[GIT PULL] Lamps', text }));
			await run('forge.lists.openPullChanges', {
				kind: 'mail',
				connectionKey,
				list: devel,
				id: world.mails.at(-1)?.id,
			});
		};
		await show(asked('git@git.forge.test:~bob/lamp for-alice'));
		assert.deepEqual(stubbed.executed, ['forge.repositories.compare']);
		assert.deepEqual(stubbed.passed, [
			{ kind: 'comparison', connectionKey, ref: { owner: '~bob', name: 'lamp' }, before: since, after: tip },
		]);
		await show(asked('https://elsewhere.test/~bob/lamp'));
		await show(asked('https://git.forge.test/~bob/lamp', ''));
		await show('Please pull.');
		assert.deepEqual(stubbed.shown, [
			'https://elsewhere.test/~bob/lamp is not on a forge that you are signed in to. Fetch it with git to see its commits.',
			'This message does not say which commits to pull.',
			'This message does not say which commits to pull.',
		]);
		assert.equal(stubbed.executed.length, 1);
	});

	test('copy the fetch command of a pull request unless it is unsafe in a shell', async () => {
		const { world, run } = desk();
		const mail = { kind: 'mail', connectionKey, list: devel, id: 60 } as const;
		const asked = (repository: string): string =>
			`The following changes since commit ${'1'.repeat(40)}:\n\n  x\n\nare available in the git repository at:\n\n  ${repository}\n\n`;
		const say = (text: string): void =>
			void world.mails.splice(0, Number.POSITIVE_INFINITY, makeMail({ id: 60, subject: '[GIT PULL] Lamps', text }));
		say(asked('https://elsewhere.test/~bob/lamp main'));
		stubbed.answers.push('Copy Fetch Command');
		await run('forge.lists.openPullChanges', mail);
		await eventually(async () => stubbed.copied, ['git fetch https://elsewhere.test/~bob/lamp main']);
		const second = desk();
		second.world.mails.push(makeMail({ id: 60, subject: '[GIT PULL]', text: asked('ext::sh main') }));
		await second.run('forge.lists.copyFetchCommand', mail);
		assert.equal(stubbed.copied.length, 1);
		assert.equal(stubbed.shown.at(-1), 'The URL in this message is not safe to use in a shell command.');
	});

	test('set the status of the given row and report it', async () => {
		const { world, run } = desk();
		stubbed.answers.push('Approved');
		await run('forge.patchsets.setStatus', { kind: 'patchset', connectionKey, ref: { list: devel, id: 2 } });
		assert.deepEqual(writes(world), ['status ~alice/devel 2 approved']);
		assert.deepEqual(stubbed.shown, ['Two (v1 · devel #2): Approved']);
	});

	test('ask for the patchset and the status from the palette, without the current status', async () => {
		const { world, run } = desk();
		stubbed.answers.push('~alice/devel', 'One', 'Proposed');
		await assert.rejects(run('forge.patchsets.setStatus'), isAbort);
		assert.deepEqual(stubbed.asked, ['Choose a list', 'Choose a patchset of devel', 'Status of "One" (v1 · devel #1)']);
		assert.deepEqual(writes(world), []);
	});

	test('name the owner after a rejected status, and reload the patchset', async () => {
		const { world, run } = desk();
		stubbed.answers.push('Rejected', 'Open on the Web');
		await run('forge.patchsets.setStatus', { kind: 'patchset', connectionKey, ref: { list: bobs, id: 3 } });
		assert.deepEqual(stubbed.shown, [
			"The forge rejected this status: only the list's owner can set it. Ask ~bob, or mark it in a reply.",
		]);
		await new Promise(setImmediate);
		assert.deepEqual(stubbed.executed, ['forge.openOnWeb']);
		assert.deepEqual(world.calls.slice(-2), ['status ~bob/bobs 3 rejected', 'patchset ~bob/bobs 3']);
	});

	test('pass on a rejection with a reason', async () => {
		const { world, run } = desk();
		const why: Problem = { kind: 'notAllowed', reason: 'Your account is suspended' };
		world.before = (call) => {
			if (call.startsWith('status ')) {
				throw new ForgeError(why);
			}
		};
		stubbed.answers.push('Rejected');
		await assert.rejects(
			run('forge.patchsets.setStatus', { kind: 'patchset', connectionKey, ref: { list: devel, id: 2 } }),
			(error) => isForgeError(error) && error.problem === why,
		);
		assert.deepEqual(stubbed.shown, []);
	});

	test('pass on any other failure, and send nothing twice', async () => {
		const { world, run } = desk();
		world.before = (call) => {
			if (call.startsWith('status ')) {
				throw new ForgeError({ kind: 'missingScope', scope: 'patches:write', asWritten: 'patches:write' });
			}
		};
		stubbed.answers.push('Applied');
		const running = run('forge.patchsets.setStatus', { kind: 'patchset', connectionKey, ref: { list: devel, id: 2 } });
		await assert.rejects(running, (error) => isForgeError(error) && error.problem.kind === 'missingScope');
		assert.equal(writes(world).length, 1);
	});

	test('find a message through its list and thread from the palette', async () => {
		const { world, run, opened } = desk();
		const first = makeMail({ id: 5, subject: 'A $(trash) question' });
		world.mails.push(first, makeMail({ id: 6, threadId: 5, parentId: 5, subject: 'Re: A question' }));
		world.posts.set('~alice/devel', [first]);
		stubbed.answers.push('~alice/devel', 'A $\u2060(trash) question', 'Re: A question');
		await run('forge.lists.openMail');
		assert.deepEqual(opened, [6]);
		await run('forge.lists.openMail', { kind: 'mail', connectionKey, list: devel, id: 5 });
		assert.deepEqual(opened, [6, 5]);
	});

	test('offer all pages of lists and subscriptions', async () => {
		const { world, run, followed } = desk();
		await followed.keep([]);
		world.pageSize = 2;
		const more = [1, 2, 3, 4].map((at) => makeList({ name: `more${at}` }));
		const others = [1, 2, 3].map((at) => makeList({ name: `others${at}`, owner: makeUser('carol') }));
		world.lists.push(...more, ...others);
		world.subscriptions.push(...others.map((list, at) => makeSubscription(list, at + 1)));
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.patchsets.setStatus'), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['devel', 'more1', 'more2', 'more3', 'more4']
				.map((name) => `~alice/${name}`)
				.concat(['others1', 'others2', 'others3'].map((name) => `~carol/${name}`)),
		);
	});

	test('load more choices on request', async () => {
		const { world, run } = desk();
		world.pageSize = 1;
		stubbed.answers.push('~alice/devel', 'Show More', 'One', 'Approved');
		await run('forge.patchsets.setStatus');
		assert.deepEqual(writes(world), ['status ~alice/devel 1 approved']);
	});

	test('follow a pasted URL, and reject another host with a hint', async () => {
		const { run, followed } = desk();
		await followed.keep([]);
		stubbed.answers.push('https://lists.forge.test/~bob/bobs/patches/3');
		await run('forge.lists.follow');
		assert.deepEqual(followed.all(), ['~bob/bobs']);
		stubbed.answers.push('https://evil.test/~bob/bobs');
		await assert.rejects(run('forge.lists.follow'), isAbort);
		assert.deepEqual(stubbed.shown, ['Write ~owner/name, or paste a URL that begins with https://lists.forge.test.']);
	});

	test('offer the visible lists of a person to follow', async () => {
		const { run, followed } = desk();
		await followed.keep([]);
		stubbed.answers.push('~bob', 'bobs');
		await run('forge.lists.follow');
		assert.deepEqual(followed.all(), ['~bob/bobs']);
		assert.equal(stubbed.asked.at(-1), 'Choose a list of ~bob');
	});

	test('ask for the list to unfollow even if there is only one', async () => {
		const { run, followed } = desk();
		await assert.rejects(run('forge.lists.unfollow'), isAbort);
		stubbed.answers.push('~bob/bobs');
		await run('forge.lists.unfollow');
		assert.deepEqual(followed.all(), []);
	});

	test('offer lists without a subscription, and any other by name', async () => {
		const { world, run } = desk();
		world.subscriptions.push(makeSubscription(makeList()));
		stubbed.answers.push('~alice/devel');
		await assert.rejects(run('forge.lists.subscribe'), isAbort);
		stubbed.answers.push('Enter the Name of a List…', '~bob/bobs');
		await run('forge.lists.subscribe');
		assert.deepEqual(writes(world), ['subscribe ~bob/bobs']);
		assert.deepEqual(stubbed.shown, ['Subscribed to ~bob/bobs']);
	});

	test('subscribe to a typed list name', async () => {
		const { world, run } = desk();
		stubbed.answers.push('~bob/bobs\tEnter the Name of a List…');
		await run('forge.lists.subscribe');
		assert.deepEqual(writes(world), ['subscribe ~bob/bobs']);
		assert.deepEqual(stubbed.asked, ['Subscribe to a list']);
	});

	test('treat a subscription made elsewhere as a success, and remember it', async () => {
		const { world, run } = desk();
		world.before = (call) => {
			if (call.startsWith('subscribe ')) {
				world.subscriptions.push(makeSubscription(makeList({ name: 'bobs', owner: makeUser('bob') }), 7));
				throw new ForgeError({ kind: 'invalid', errors: [{ field: 'list', reason: 'You are already subscribed' }] });
			}
		};
		stubbed.answers.push('~bob/bobs');
		await run('forge.lists.subscribe');
		assert.deepEqual(stubbed.shown, ['Subscribed to ~bob/bobs']);
		world.before = () => undefined;
		await run('forge.lists.unsubscribe', { kind: 'list', connectionKey, ref: bobs });
		assert.deepEqual(writes(world), ['subscribe ~bob/bobs', 'unsubscribe 7']);
	});

	test('check the subscriptions after a lost response', async () => {
		const { world, run } = desk();
		const subject = { kind: 'list', connectionKey, ref: bobs };
		world.before = (call) => {
			if (call.startsWith('subscribe ')) {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		await assert.rejects(run('forge.lists.subscribe', subject), { problem: { kind: 'serverError', status: 502 } });
		assert.deepEqual(world.calls, ['subscribe ~bob/bobs', 'subscriptions 0']);
		world.subscriptions.push(makeSubscription(makeList({ name: 'bobs', owner: makeUser('bob') }), 7));
		await run('forge.lists.subscribe', subject);
		assert.deepEqual(writes(world), ['subscribe ~bob/bobs', 'subscribe ~bob/bobs']);
	});

	test('offer to follow a list when there are no subscriptions', async () => {
		const { run } = desk();
		stubbed.answers.push('Follow List…');
		await assert.rejects(run('forge.lists.unsubscribe'), isAbort);
		assert.deepEqual(
			[stubbed.shown, stubbed.executed],
			[['You are not subscribed to a list.'], ['forge.lists.follow']],
		);
	});

	test('ask step by step for the URL of a list or patchset', async () => {
		const { links } = desk();
		stubbed.answers.push('~alice/devel', 'The list itself', '~bob/bobs', 'A patchset…', 'Three');
		assert.equal(await links.askForLink(never), 'https://lists.forge.test/~alice/devel');
		assert.equal(await links.askForLink(never), 'https://lists.forge.test/~bob/bobs/patches/3');
	});

	for (const command of ['openMail', 'follow', 'subscribe', 'unsubscribe', 'unfollow'] as const) {
		test(`offer to sign in without an account: ${command}`, async () => {
			stubbed.answers.push('Sign In…');
			await assert.rejects(desk(false).run(`forge.lists.${command}`), isAbort);
			assert.deepEqual(stubbed.executed, ['forge.accounts.signIn']);
		});
	}

	test('fail for a subject of a signed-out account', async () => {
		const running = desk(false).run('forge.patchsets.setStatus', {
			kind: 'patchset',
			connectionKey,
			ref: { list: devel, id: 2 },
		});
		await assert.rejects(running, (error) => isForgeError(error) && error.problem.kind === 'notSignedIn');
	});

	test('prefill the rejected text of a new list, immediately or on the next call', async () => {
		const problems: Problem[] = [
			{ kind: 'invalid', errors: [{ field: 'name', reason: 'This name is reserved' }] },
			{ kind: 'serverError', status: 503 },
		];
		const { world, run } = desk();
		world.before = async (call) => {
			const problem = call.startsWith('create ') ? problems.shift() : undefined;
			if (problem) {
				throw new ForgeError(problem);
			}
		};
		stubbed.answers.push('admin', 'For *patches*', 'patches', 'For *patches*');
		await assert.rejects(run('forge.lists.create'), isForgeError);
		assert.deepEqual(stubbed.prefilled, ['', '', 'admin', 'For *patches*']);
		assert.match(stubbed.prompts[2] ?? '', /This name is reserved/);
		stubbed.prefilled.length = 0;
		stubbed.answers.push('patches', 'For *patches*');
		await run('forge.lists.create');
		assert.deepEqual(stubbed.prefilled, ['patches', 'For *patches*']);
		assert.equal(world.lists.at(-1)?.description, 'For *patches*');
	});
});
