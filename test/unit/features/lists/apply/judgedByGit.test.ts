import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Judgement } from '../../../../../src/features/lists/apply/judgedByGit.ts';
import { GitFailure } from '../../../../../src/localGit/gitFailure.ts';
import type { FileThere } from '../../../../../src/patch/tryFile.ts';
import { appliedWorld, numbered, type AppliedWorld } from '../../../../support/appliedWorld.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';

const { judgedByGit } = await import('../../../../../src/features/lists/apply/judgedByGit.ts');
const { seriesMailbox } = await import('../../../../../src/features/lists/apply/seriesMailbox.ts');

const never = new AbortController().signal;
const text = (content: string): FileThere => ({ kind: 'file', content: Buffer.from(content) });
const applies = { kind: 'applies', isExact: true, offset: 0, fuzz: 0 } as const;
const last = numbered((line) => (line === 3 ? 'three' : line === 15 ? 'fifteen' : String(line)));

suite('git as the judge of a series', function () {
	this.timeout(60_000);
	let world: AppliedWorld;

	setup(() => (world = appliedWorld()));
	teardown(() => world.remove());

	async function judged(after: Readonly<Record<string, FileThere>>, git = world.git): Promise<Judgement | undefined> {
		const connection = listConnection(world.lists.api);
		const { series } = await connection.reviews.read(world.subject.ref, never);
		const mailbox = await seriesMailbox(connection, { patches: series.patches, trailers: [] }, never);
		const verdict = { kind: 'applies', files: [applies] } as const;
		const shown = { verdicts: series.patches.map(() => verdict), after: new Map(Object.entries(after)) };
		const base = { kind: 'commit', root: world.root, commit: world.base } as const;
		const parts = { git, tempFolder: world.home, problems: quietProblems };
		return judgedByGit(parts, { base, patches: series.patches, mailbox, shown }, never);
	}

	test('names the files that it writes otherwise than the diffs show', async () => {
		const same = await judged({ a: text(last), b: text('two\n') });
		assert.deepEqual([same?.stop, same?.others], [undefined, []]);
		assert.deepEqual((await judged({ a: text(`${last}more\n`), b: text('two\n') }))?.others, ['a']);
		assert.deepEqual((await judged({ a: text(last) }))?.others, ['b']);
	});

	test('leaves the clone as it is', async () => {
		const state = (): string =>
			[['status', '--porcelain'], ['for-each-ref'], ['count-objects', '-v']]
				.map((args) => world.inClone(...args))
				.join('\n');
		const before = state();
		await judged({});
		assert.equal(state(), before);
	});

	test('is not asked where git may not run', async () => {
		const git: AppliedWorld['git'] = {
			...world.git,
			run: () => Promise.reject(new GitFailure({ kind: 'notTrusted' })),
		};
		assert.equal(await judged({}, git), undefined);
	});
});
