import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { commitBox, keptWork, type KeptWork } from '../../../../../src/features/tickets/work/commitBox.ts';
import type { CommitTemplate } from '../../../../../src/features/tickets/work/startWork.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { workKey } from '../../../../../src/editor/names/storageKeys.ts';
import type { Trailer } from 'patchmail/series/commitTrailers.ts';
import type { TicketSubject } from '../../../../../src/features/tickets/subjects/subjects.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeGit, fakeRepository, type FakeGit, type FakeRepository } from '../../../../support/fakeGit.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { startWork } = await import('../../../../../src/features/tickets/work/startWork.ts');
const { ticketsNamedBy, unpushedTicket } = await import('../../../../../src/features/tickets/work/unpushed.ts');

const never = new AbortController().signal;
const fixes: Trailer = { key: 'Fixes', value: 'https://todo.forge.test/~alice/alpha/2' };
const implementsOther: Trailer = { key: 'Implements', value: 'https://todo.forge.test/~alice/alpha/3' };
const subject = {
	kind: 'ticket',
	connectionKey: 'sample-alice',
	ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 2 },
} as const;

const noLooks = { known: () => undefined, look: () => Promise.resolve(undefined) };

function memory(kept = new Map<string, unknown>()): KeptWork {
	return keptWork(
		standFor<vscode.Memento>({
			get: (key: string) => kept.get(key),
			update: async (key: string, value: unknown) => void kept.set(key, value),
		}),
	);
}

async function boxed(): Promise<{
	readonly clone: FakeRepository;
	readonly work: KeptWork;
	readonly git: FakeGit;
	readonly text: () => string;
}> {
	const clone = fakeRepository();
	const work = memory();
	await work.keep('file:///code', 'ticket-2', fixes);
	const box = commitBox(work);
	const git = fakeGit(clone);
	const api = await git(never);
	assert.ok(api);
	box.follow(api);
	return { clone, work, git, text: () => clone.repository.inputBox.value };
}

suite('commit box', () => {
	setup(resetStub);

	test('has the trailer of the branch, again after each commit', async () => {
		const { clone, text } = await boxed();
		assert.equal(text(), '');
		clone.goTo('ticket-2');
		assert.equal(text(), `\n\nFixes: ${fixes.value}`);
		clone.repository.inputBox.value = `Title${text()}`;
		clone.commit();
		assert.equal(text(), `\n\nFixes: ${fixes.value}`);
	});

	test('keeps the first line free for the title when the editor fills it from git’s template', async () => {
		const { clone, text } = await boxed();
		clone.goTo('ticket-2');
		clone.repository.inputBox.value = `Title${text()}`;
		clone.commit(`\n\nFixes: ${fixes.value}\n`);
		assert.equal(text(), `\n\nFixes: ${fixes.value}`);
		clone.repository.inputBox.value = `Title${text()}`;
		clone.commit(`Why:\n\nFixes: ${fixes.value}\n`);
		assert.equal(text(), `Why:\n\nFixes: ${fixes.value}`);
		clone.goTo('main');
		clone.goTo('ticket-2');
		assert.equal(text(), `Why:\n\nFixes: ${fixes.value}`);
	});

	test('is not rewritten when it has the trailer, since a rewrite could drop a keystroke', async () => {
		const { clone, text } = await boxed();
		const { inputBox } = clone.repository;
		let value = `\n\nFixes: ${fixes.value}`;
		let writes = 0;
		Object.defineProperty(inputBox, 'value', {
			get: () => value,
			set(next: string) {
				writes += 1;
				value = next;
			},
		});
		clone.goTo('ticket-2');
		assert.deepEqual([text(), writes], [`\n\nFixes: ${fixes.value}`, 0]);
		inputBox.value = `Title${value}`;
		clone.commit();
		assert.deepEqual([text(), writes], [`\n\nFixes: ${fixes.value}`, 3]);
	});

	test('stays as it is while the user types', async () => {
		const { clone, text } = await boxed();
		clone.repository.inputBox.value = 'Half a thought';
		clone.goTo('ticket-2');
		assert.equal(text(), 'Half a thought');
		clone.repository.inputBox.value = '';
		clone.goTo('ticket-2');
		assert.equal(text(), `\n\nFixes: ${fixes.value}`);
	});

	test('loses an untouched trailer when the user leaves the branch, but keeps an edited one', async () => {
		const { clone, text } = await boxed();
		clone.goTo('ticket-2');
		clone.goTo('main');
		assert.equal(text(), '');
		clone.goTo('ticket-2');
		clone.repository.inputBox.value = `Title\n\nFixes: ${fixes.value}`;
		clone.goTo('main');
		assert.equal(text(), `Title\n\nFixes: ${fixes.value}`);
	});

	test('replaces an untouched trailer by another', async () => {
		const { clone, work, text } = await boxed();
		clone.goTo('ticket-2');
		await commitBox(work).put(clone.repository, 'ticket-2', implementsOther);
		assert.equal(text(), `\n\nImplements: ${implementsOther.value}`);
	});

	test('ignores a closed repository until it opens again', async () => {
		const { clone, git, text } = await boxed();
		git.close(clone);
		clone.goTo('ticket-2');
		assert.equal(text(), '');
		git.open(clone);
		assert.equal(text(), `\n\nFixes: ${fixes.value}`);
	});

	test('stays empty after the user clears it', async () => {
		const { clone, text } = await boxed();
		clone.goTo('ticket-2');
		clone.repository.inputBox.value = '';
		clone.goTo('ticket-2');
		assert.equal(text(), '');
	});
});

suite('stored work', () => {
	test('skips malformed entries', async () => {
		const whole = { root: 'file:///code', branch: 'ticket-2', ...fixes };
		const readable = (value: unknown): KeptWork => memory(new Map([[workKey, value]]));
		const work = readable([{ ...whole, key: 7 }, null, 'x', { ...whole, branch: undefined }, whole]);
		assert.deepEqual(work.trailer('file:///code', 'ticket-2'), fixes);
		for (const odd of [undefined, 7, 'x', {}, [{ ...whole, root: 1 }]]) {
			assert.equal(readable(odd).any(), false);
		}
	});
});

suite('starting work', () => {
	setup(resetStub);

	/** Recorded updates of git's template. */
	let templates: readonly string[];
	setup(() => {
		templates = [];
	});

	function starting(...clones: readonly FakeRepository[]) {
		return startingWith(async (root, branch, trailer) => {
			templates = [...templates, `${root.path} ${branch} ${trailer ? `${trailer.key}: ${trailer.value}` : 'none'}`];
		}, clones);
	}

	function startingWith(template: CommitTemplate, clones: readonly FakeRepository[]) {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ id: 2, title: 'Crash: --force?' })]);
		const work = memory();
		const desk = fake<TicketsContext>({
			connections: fakeConnections(fakeConnection(api)),
			folders: { of: () => Promise.resolve(undefined) },
			findGit: fakeGit(...clones),
			problems: quietProblems,
		});
		stubbed.settings.set('forge.work.branchName', 'ticket-${id}-${title}');
		const box = commitBox(work);
		return () => startWork(desk, box, template, subject, never);
	}

	test('creates the branch and puts the chosen trailer into the box', async () => {
		const clone = fakeRepository();
		stubbed.answers.push('Implements');
		await starting(clone)();
		assert.ok(clone.calls.includes('createBranch ticket-2-crash-force true'));
		assert.equal(clone.repository.inputBox.value, '\n\nImplements: https://todo.forge.test/~alice/alpha/2');
		assert.deepEqual(templates, ['/code ticket-2-crash-force Implements: https://todo.forge.test/~alice/alpha/2']);
	});

	test('keeps the text in the box, and adds no trailer when the user wants none', async () => {
		const clone = fakeRepository();
		clone.repository.inputBox.value = 'Title\n\nSigned-off-by: A';
		stubbed.answers.push('Fixes');
		await starting(clone)();
		assert.equal(clone.repository.inputBox.value, `Title\n\nSigned-off-by: A\nFixes: ${fixes.value}`);
		const other = fakeRepository();
		stubbed.answers.push('No trailer');
		await starting(other)();
		assert.equal(other.repository.inputBox.value, '');
	});

	test('on the same ticket again replaces the trailer, or removes it permanently', async () => {
		const clone = fakeRepository();
		const start = starting(clone);
		const { repository } = clone;
		stubbed.answers.push('Fixes');
		await start();
		stubbed.answers.push('Implements');
		await start();
		assert.equal(repository.inputBox.value, `\n\nImplements: ${fixes.value}`);
		stubbed.answers.push('No trailer');
		await start();
		assert.equal(repository.inputBox.value, '');
		clone.commit();
		assert.equal(repository.inputBox.value, '');
		assert.deepEqual(templates, [
			`/code ticket-2-crash-force Fixes: ${fixes.value}`,
			`/code ticket-2-crash-force Implements: ${fixes.value}`,
			'/code ticket-2-crash-force none',
		]);
	});

	test('continues when the template update fails, and warns about git commit in a terminal', async () => {
		const clone = fakeRepository();
		stubbed.answers.push('Fixes', undefined);
		await startingWith(() => Promise.reject(new GitFailure({ kind: 'failed', program: 'git' })), [clone])();
		assert.equal(clone.repository.inputBox.value, `\n\nFixes: ${fixes.value}`);
		assert.equal(
			stubbed.shown[0],
			'The commit template of ticket-2-crash-force could not be updated, so git commit in a terminal does not use the chosen trailer. See the log for details.',
		);
	});

	test('warns about uncommitted changes, and does nothing without a confirmation', async () => {
		const clone = fakeRepository();
		clone.changes.push({});
		stubbed.answers.push('Fixes', undefined);
		await assert.rejects(starting(clone)(), { name: 'AbortError' });
		assert.ok(!clone.calls.some((call) => call.startsWith('createBranch')));
		assert.equal(clone.repository.inputBox.value, '');
		stubbed.answers.push('Fixes', 'Create Branch');
		await starting(clone)();
		assert.deepEqual(new Set(stubbed.asked), new Set(['Which trailer should commits for ~alice/alpha#2 use?']));
		const question = 'Create branch ticket-2-crash-force with uncommitted changes?';
		assert.ok(stubbed.shown.includes(question), stubbed.shown.join(' | '));
		assert.ok(clone.calls.some((call) => call.startsWith('createBranch')));
	});

	test('offers to switch to an existing branch', async () => {
		const clone = fakeRepository();
		clone.refs.push({ name: 'ticket-2-crash-force' });
		stubbed.answers.push('Fixes', 'Switch to It');
		await starting(clone)();
		assert.ok(clone.calls.includes('checkout ticket-2-crash-force'));
		assert.ok(!clone.calls.some((call) => call.startsWith('createBranch')));
	});

	test('without git or a repository says how to proceed', async () => {
		await starting()();
		assert.match(stubbed.shown[0] ?? '', /^Git is disabled in this window\. Turn on/);
		const closed = fakeRepository();
		const git = fakeGit(closed);
		git.close(closed);
		await unpushedTicket(fakeConnections(), git, noLooks, never);
		assert.match(stubbed.shown[1] ?? '', /^No git repository is open in this window\. Open its folder/);
	});

	test('asks for the repository when several are open', async () => {
		const [one, two] = [fakeRepository('/one'), fakeRepository('/two')];
		stubbed.answers.push('/two', 'Fixes');
		await starting(one, two)();
		assert.ok(two.calls.some((call) => call.startsWith('createBranch')));
		assert.deepEqual(one.calls, []);
	});
});

suite('tickets named by unpushed commits', () => {
	setup(resetStub);
	const connections = () => {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ id: 2, title: 'Crash' })]);
		return fakeConnections(fakeConnection(api));
	};
	const looks = noLooks;
	const commit = (hash: string, message: string) => ({ hash: hash.repeat(40), message });

	test('have their full URL in a trailer', () => {
		const named = ticketsNamedBy(
			[
				commit('a', `One\n\nFixes: ${fixes.value}`),
				commit('b', `Two ${fixes.value}\n\nBody with Fixes: ${fixes.value} inside`),
				commit('c', 'Three\n\nFixes: #2\nCloses: ~alice/alpha#2\nFixes: https://other.test/~alice/alpha/2'),
				commit('d', `Four\n\nfixes: ${fixes.value}\nReferences: ${fixes.value}`),
			],
			connections(),
		);
		assert.deepEqual(
			named.map(({ trailer, commits }) => [trailer, commits.map(({ hash }) => hash.slice(0, 1)).join('')]),
			[
				['Fixes', 'ad'],
				['References', 'd'],
			],
		);
	});

	test('are read without a git argument that could be an option', async () => {
		const clone = fakeRepository();
		clone.refs.push({ name: 'origin/main', commit: 'b'.repeat(40) }, { name: '--exec=x', commit: '--exec=x' });
		clone.commits.push(commit('a', `One\n\nFixes: ${fixes.value}`));
		stubbed.answers.push('~alice/alpha#2');
		const chosen = await unpushedTicket(connections(), fakeGit(clone), looks, never);
		assert.deepEqual(chosen, subject);
		assert.ok(clone.calls.includes(`log HEAD ^${'b'.repeat(40)}`));
		assert.deepEqual(stubbed.asked, [
			'These tickets are mentioned by unpushed commits, and will be resolved where the forge acts on trailers.',
		]);
	});

	test('show known titles, however many there are', async () => {
		const clone = fakeRepository();
		const address = (id: number): string => `https://todo.forge.test/~alice/alpha/${id}`;
		clone.commits.push(
			commit('a', `One\n\n${Array.from({ length: 40 }, (_, at) => `Fixes: ${address(at + 1)}`).join('\n')}`),
		);
		const asked: number[] = [];
		const known = ({ ref }: TicketSubject) =>
			({ kind: 'known', ticket: makeTicket({ id: ref.id, title: `Known ${ref.id}` }), checkedAtMs: 0 }) as const;
		stubbed.answers.push('Known 40');
		const chosen = await unpushedTicket(
			connections(),
			fakeGit(clone),
			{ known, look: async ({ ref }) => void asked.push(ref.id) },
			never,
		);
		assert.equal(chosen?.ref.id, 40);
		assert.equal(asked.length, 30);
	});

	test('may be none, with a message', async () => {
		const clone = fakeRepository();
		clone.commits.push(commit('a', 'One'));
		assert.equal(await unpushedTicket(connections(), fakeGit(clone), looks, never), undefined);
		assert.match(stubbed.shown[0] ?? '', /No unpushed commit mentions a ticket/);
	});
});
