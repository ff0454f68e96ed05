import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppliedPatchset, ApplyContext } from '../../../../../src/features/patches/apply/savedApplied.ts';
import type { Judgement } from '../../../../../src/features/patches/apply/judgedByGit.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { areBare } from 'patchmail/series/amCommand.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { goOn, stageSolved } from 'hardened-git/applySeries.ts';
import { madeCommits } from 'hardened-git/applyState.ts';
import { contentsInClone } from 'hardened-git/readClone.ts';
import { blobsOf } from 'hardened-git/scratchApply.ts';
import { filesAtCommit } from 'hardened-git/filesAtCommit.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { applyHere } from '../../../../support/applyHere.ts';
import { chainedSuite } from '../../../../support/chain.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { readerHere } from '../../../../support/mailStores.ts';
import {
	changedTree,
	importStream,
	mailable,
	mailOptions,
	oddTree,
	type Tree,
	type TreeFile,
} from '../../../../support/oddTrees.ts';
import { testInRest } from '../../../../support/parts.ts';
import { keepProofTable } from '../../../../support/proofTable.ts';
import { createRandom, type Random } from '../../../../support/random.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { askDoubts } = await import('../../../../../src/features/patches/apply/doubts.ts');
const { judgedDoubts, judgedInClone, judgedRest, stopOf } =
	await import('../../../../../src/features/patches/apply/judgedByGit.ts');
const { comparedCommits } = await import('../../../../../src/features/patches/apply/comparedCommits.ts');
const { pathsOf } = await import('../../../../../src/features/patches/apply/patchedFiles.ts');
const { seriesMailbox } = await import('../../../../../src/features/patches/apply/seriesMailbox.ts');

const never = new AbortController().signal;

const settings = ['plain', 'merged', 'conflict'] as const;
type Setting = (typeof settings)[number];

/** Different lines, so each hunk has one place. */
function lines(count: number, name: string, changed: Readonly<Record<number, string>> = {}): string {
	return Array.from({ length: count }, (_, at) => `${changed[at + 1] ?? `${name} ${at + 1}`}\n`).join('');
}

interface World {
	readonly machine: TestMachine;
	readonly root: string;
	/** The commit to apply to. */
	readonly base: Readonly<Record<Setting, string>>;
	/** Messages of three patches: to `first`, to `second`, and a random one. */
	readonly honest: readonly string[];
	/** Blobs of `victim`, current and previous. */
	readonly blobs: { readonly now: string; readonly old: string };
}

/** A clone, and a series that needs a merge or has a conflict on other branches. */
function newWorld(random: Random): World {
	const machine = testMachine();
	const root = join(machine.folder, 'clone');
	writeFileSync(join(machine.home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@forge.test\n');
	machine.plain(machine.folder, 'init', '-q', '-b', 'none', 'clone');
	const [length, at] = [20 + random.below(30), 5 + random.below(8)];
	const file = (path: string, name: string, changed = {}): readonly [string, TreeFile] => [
		path,
		{ mode: '100644', content: lines(length, name, changed) },
	];
	const plain: Tree = new Map([
		...mailable(oddTree(random)),
		file('victim', 'line'),
		file('first', 'one'),
		file('second', 'two'),
	]);
	const firstChanged: Tree = new Map([...plain, file('first', 'one', { [at]: 'changed' })]);
	const bothChanged: Tree = new Map([...firstChanged, file('second', 'two', { [at]: 'changed', [length]: 'end' })]);
	const trees: readonly Tree[] = [
		new Map([...plain, file('victim', 'line', { 7: 'vulnerable' })]),
		plain,
		firstChanged,
		bothChanged,
		mailable(changedTree(random, bothChanged)),
		new Map([...plain, file('first', 'one', { [at + 3]: 'neighbour' })]),
		new Map([...plain, file('first', 'one', { [at]: 'otherwise' })]),
	];
	writeFileSync(join(machine.folder, 'import'), importStream(trees));
	const options = Array.from({ length: random.below(3) }, () => random.pick(mailOptions)).join(' ');
	const told = machine.script(
		root,
		`git fast-import --quiet <../import
		commit() { git commit-tree -p $1 -m "Change no $2" t$2^{tree}; }
		plain=$(commit t0 1) one=$(commit $plain 2) two=$(commit $one 3) three=$(commit $two 4)
		git checkout -q --detach $plain
		echo $plain $(commit $plain 5) $(commit $plain 6) $(git rev-parse t1:victim t0:victim)
		git format-patch --stdout ${options} $plain..$three >../mails; base64 -w0 ../mails`,
	);
	const [ids = '', encoded = ''] = told.split('\n');
	const [clean = '', merged = '', conflict = '', now = '', old = ''] = ids.split(' ');
	const honest = Buffer.from(encoded, 'base64')
		.toString('latin1')
		.split(/^(?=From [0-9a-f]{40} Mon Sep)/m)
		.map((mail) => mailText(Buffer.from(mail, 'latin1')));
	return { machine, root, base: { plain: clean, merged, conflict }, honest, blobs: { now, old } };
}

/** A diff with lines for the top of the message. */
interface Attack {
	readonly diff: string;
	readonly top?: string;
}

function mailOf({ diff, top = '' }: Attack): string {
	return `From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: Eve <eve@evil.test>\nDate: Mon, 1 Jan 2024 00:00:02 +0000\nSubject: [PATCH 3/3] Explain\n\n${top}Explain.\n---\n${diff}-- \n2.39.5\n\n`;
}

/** An honest patch with the attack inside of it, from the same hand. */
function withAttack(honest: string, { diff, top = '' }: Attack): string {
	const subject = honest.indexOf('\n\n') + 2;
	const first = honest.indexOf('\ndiff --git ') + 1;
	return `${honest.slice(0, subject)}${top}${honest.slice(subject, first)}${diff}${honest.slice(first)}`.replace(
		/^From: .*$/m,
		'From: Eve <eve@evil.test>',
	);
}

const header = (path: string): string => `diff --git a/${path} b/${path}\n`;
const sides = (path: string): string => `--- a/${path}\n+++ b/${path}\n`;
const next = '2'.repeat(40);

/** Patches that show one thing and commit another. */
const attacks: Readonly<Record<string, (world: World, random: Random) => Attack>> = {
	'joined lines': (_, random) => {
		const count = 2 + random.below(3);
		const context = Array.from({ length: count }, (__, at) => ` line ${at + 1}\n`).join('');
		const hunk = `@@ -1,${count} +1,${count + 1} @@\n+// new\n${context}\\ No newline at end of file\n`;
		return { diff: `${header('victim')}${sides('victim')}${hunk}` };
	},
	'a file of another name': ({ blobs }, random) => {
		const path = random.pick(['demo', 'docs/demo', 'victim.txt']);
		const shown = Array.from({ length: 3 }, (_, at) => ` line ${at + 1}\n`).join('');
		const hunk = `@@ -1,6 +1,6 @@\n${shown}-line 4\n+hole\n line 5\n line 6\n`;
		return { diff: `${header(path)}index ${blobs.now}..${next} 100644\n${sides(path)}${hunk}` };
	},
	'an old binary file': ({ blobs }) => ({
		diff: `${header('victim')}index ${blobs.now}..${blobs.old} 100644\nBinary files a/victim and b/victim differ\n`,
	}),
	'another date': () => ({
		diff: `${header('new')}new file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n`,
		top: 'Date: Mon, 1 Jan 2001 00:00:00 +0000\n\n',
	}),
};

/** Repositories of one test. */
const atOnce = 10;

chainedSuite('series that commit other changes than they show', function () {
	this.timeout(3_600_000);

	async function seriesOf(mails: readonly string[]): Promise<readonly SeriesPatch[]> {
		return Promise.all(
			mails.map(async (mail, at): Promise<SeriesPatch> => {
				const reading = await readerHere.readMail(mail, { evenIfLarge: true });
				const patch = patchMailOf(reading, reading.kind === 'raw' ? '' : reading.mail.subject);
				assert.ok(patch, mail);
				return { mail: standFor<SeriesPatch['mail']>({ id: at, reading }), patch, index: at + 1 };
			}),
		);
	}

	/** Whether a judgement triggers a question. Answers yes. */
	const asks = async (judged: Judgement | undefined): Promise<boolean> => {
		resetStub();
		stubbed.answers.push('Apply');
		await askDoubts(judgedDoubts(judged, 'commit'), 'Apply');
		return stubbed.shown.length > 0;
	};

	/** A new window for each step. With `random`, one in ten has a git that fails at a random command. */
	const window = ({ machine: { git, home } }: World, random?: Random) => {
		let left = random?.chance(10) ? 1 + random.below(12) : 0;
		let hasFailed = false;
		const run: typeof git.run = (command, how, signal) => {
			left -= 1;
			hasFailed ||= left === 0;
			return left === 0 ? Promise.reject(new GitFailure({ kind: 'tooMuch' })) : git.run(command, how, signal);
		};
		const parts = fake<ApplyContext>({
			git: { ...git, run },
			tempFolder: home,
			problems: quietProblems,
			clock: fakeClock(0),
			mailReader: readerHere,
		});
		return { parts, hasFailed: () => hasFailed };
	};

	/** Questions about a series before git commits it, and differences afterwards. */
	async function told(world: World, mails: readonly string[], setting: Setting, random: Random) {
		const { machine, root, base } = world;
		const { git } = machine;
		const patches = await seriesOf(mails);
		const lists = { mail: async (id: number) => ({ envelope: mails[id] ?? '' }) };
		const mailbox = await seriesMailbox(
			standFor<Connection>({ lists: { mails: lists } }),
			patches,
			{ trailers: [], isMerging: true },
			never,
		);
		const from = base[setting];
		const seen = {
			isAsked: false,
			hasFailed: false,
			isInTerminal: false,
			resolved: new Map<number, readonly string[]>(),
		};
		const inWindow = async (judge: (parts: ApplyContext) => Promise<Judgement | 'nothing' | undefined>) => {
			const { parts, hasFailed } = window(world, random);
			const judged = await judge(parts);
			seen.isAsked = (judged !== 'nothing' && (await asks(judged))) || seen.isAsked;
			seen.hasFailed ||= hasFailed();
		};
		await inWindow((parts) => judgedInClone(parts, { root, commit: from }, mailbox, never));
		machine.plain(root, 'checkout', '-q', '-f', '--detach', from);
		let outcome = await applyHere(git, { root, mailbox: mailboxOf(mails), isBare: areBare(patches) });
		while (outcome.kind === 'stopped') {
			const { folder, state } = outcome;
			const unmerged = state.conflicts.map(({ path }) => path);
			const step = unmerged.length > 0 && random.chance(70) ? 'continue' : 'skip';
			const { parts: reader } = window(world);
			const applied = standFor<AppliedPatchset>({ stops: [{ at: state.at, conflicts: [...state.conflicts] }] });
			const stop = await stopOf(reader, { folder, state, applied });
			if (step === 'continue') {
				seen.resolved.set(state.at, unmerged);
				unmerged.forEach((path) => writeFileSync(join(root, path), 'resolved\n'));
				await stageSolved(git, folder, unmerged, stop, never);
			}
			if (random.chance(15)) {
				// A terminal asks no question. The comparison afterwards still runs.
				seen.isInTerminal = true;
			} else {
				await inWindow((parts) => judgedRest(parts, { folder, state, applied }, stop, step, never));
			}
			outcome = await goOn(git, folder, step, stop, never);
		}
		assert.equal(outcome.kind, 'applied', JSON.stringify(outcome));
		const to = machine.plain(root, 'rev-parse', 'HEAD').trim();
		const commits = await madeCommits(git, root, { from, to }, never);
		const contents = await contentsInClone(git, root, blobsOf(commits), never);
		const files = await filesAtCommit(git, root, { commit: from, paths: pathsOf(patches) }, never);
		const shown = { patches, added: [], read: async (path: string) => files(path) };
		const after = await comparedCommits(fakeClock(0), shown, { commits, contents }, never);
		return { ...seen, after, commits };
	}

	const honest = Array.from({ length: 4 }, () => 'honest');
	const rows = new Map<string, { series: number; committed: number }>();

	// A test for each few repositories, because the harness ends a process that reports no test for long.
	const repositories = counts({ least: 1, small: 1, full: 420 });
	for (let done = 0; done < repositories; done += atOnce) {
		testInRest(
			`trigger a question before git commits them, and honest ones never do, from repository ${done + 1}`,
			async () => {
				const random = createRandom(seed() + 63 + done);
				for (let at = done; at < Math.min(repositories, done + atOnce); at += 1) {
					const world = newWorld(random);
					for (const setting of settings) {
						for (const name of [...honest, ...Object.keys(attacks)]) {
							const key = `${name}, ${setting}`;
							const row = rows.get(key) ?? { series: 0, committed: 0 };
							row.series += 1;
							row.committed += (await isCommitted(world, name, setting, random)) ? 1 : 0;
							rows.set(key, row);
						}
					}
					world.machine.remove();
				}
			},
		);
	}

	testInRest('contain every attack, and git commits each in some setting', () => {
		keepProofTable('Series that commit other things than they show, all asked about; honest ones never', [
			['kind and setting', 'series', 'committed after a question'],
			...Array.from(rows, ([key, { series, committed }]) => [key, series, committed]),
		]);
		for (const name of Object.keys(attacks)) {
			assert.ok(
				settings.some((setting) => (rows.get(`${name}, ${setting}`)?.committed ?? 0) > 0),
				`git commits ${name} nowhere`,
			);
		}
	});

	/** Whether git commits the hostile patch. Fails without a question about it, or if an honest series is accused. */
	async function isCommitted(world: World, name: string, setting: Setting, random: Random): Promise<boolean> {
		const hostile = attacks[name]?.(world, random);
		const mails = [...world.honest];
		// The first patch is the one with a conflict.
		const at = random.below(mails.length + 1);
		if (hostile && at === 0) {
			mails[0] = withAttack(mails[0] ?? '', hostile);
		} else if (hostile) {
			mails.splice(at, 0, mailOf(hostile));
		}
		const { isAsked, hasFailed, isInTerminal, resolved, after, commits } = await told(world, mails, setting, random);
		const hers = commits.filter(({ name: author }) => author === 'Eve').map(({ id }) => id);
		const isMade = hers.length > 0;
		const isToldAfter = after.some(
			({ index, commit, texts, files }) =>
				hers.includes(commit) &&
				(texts.length > 0 || files.some(({ path }) => resolved.get(index)?.includes(path) !== true)),
		);
		const isAsShown = after.every(({ index, texts, files }) => {
			const paths = resolved.get(index);
			return texts.length === 0 && files.every(({ path }) => paths?.includes(path));
		});
		const text = `${name}, ${setting}\n${JSON.stringify(after)}\n${mails.join('')}`;
		assert.ok(!hasFailed || isAsked, `silent about a git that failed: ${text}`);
		assert.ok(hostile !== undefined || ((hasFailed || !isAsked) && isAsShown), `accused: ${text}`);
		assert.ok(!isMade || isAsked || (isInTerminal && isToldAfter), `silent before the commit: ${text}`);
		assert.ok(!isMade || isToldAfter, `silent after the commit: ${text}`);
		return isMade;
	}
});
