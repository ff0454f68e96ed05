import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fake } from '../../../../support/fake.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailText } from 'patchmail/mail/mailText.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { createRandom, type Random } from '../../../../support/random.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { changedTree, importStream, mailable, mailOptions, oddTree } from '../../../../support/oddTrees.ts';
import { keepProofTable } from '../../../../support/proofTable.ts';
import { standFor } from '../../../../support/standFor.ts';
import { testInBoth } from '../../../../support/parts.ts';

const { judgedAlone, judgedInClone } = await import('../../../../../src/features/patches/apply/judgedByGit.ts');
const { seriesMailbox } = await import('../../../../../src/features/patches/apply/seriesMailbox.ts');

const never = new AbortController().signal;
/** A clone with a branch for each tree, and the `git format-patch` messages between the first and the last. */
function mailedTrees(
	random: Random,
	machine: TestMachine,
): { readonly root: string; readonly mails: readonly string[] } {
	const root = join(machine.folder, 'clone');
	writeFileSync(join(machine.home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@forge.test\n');
	const format = random.chance(15) ? 'sha256' : 'sha1';
	machine.plain(machine.folder, 'init', '-q', '-b', 'none', `--object-format=${format}`, 'clone');
	const trees = [mailable(oddTree(random))];
	for (let count = 1 + random.below(3); count > 0; count -= 1) {
		trees.push(mailable(changedTree(random, trees.at(-1) ?? new Map())));
	}
	writeFileSync(join(machine.folder, 'import'), importStream(trees));
	const chosen = Array.from({ length: random.below(3) }, () => random.pick(mailOptions)).join(' ');
	const script = `
		git fast-import --quiet <../import
		git checkout -q t0
		for at in $(seq ${trees.length - 1}); do
			git commit-tree -p HEAD -m "Change no $at" t$at^{tree} >../next
			git reset -q --soft $(cat ../next)
		done
		git branch -f s && git reset -q --hard t0
		git format-patch --stdout ${chosen} t0..s >../mails; base64 -w0 ../mails`;
	const text = Buffer.from(machine.script(root, script), 'base64').toString('latin1');
	return { root, mails: text.split(/^(?=From [0-9a-f]{40,64} Mon Sep)/m).filter((mail) => mail.trim() !== '') };
}

suite('series between random trees', function () {
	this.timeout(3_600_000);

	testInBoth('apply as shown, in a clone and on files made from the diffs', async () => {
		const random = createRandom(seed() + 53);
		const seen = { series: 0, alone: 0 };
		for (let count = counts({ least: 2, first: 1, small: 3, full: 300 }); count > 0; count -= 1) {
			const machine = testMachine();
			const { root, mails } = mailedTrees(random, machine);
			const envelopes = mails.map((mail) => mailText(Buffer.from(mail, 'latin1')).replaceAll('\n', '\r\n'));
			const patches = await Promise.all(
				envelopes.map(async (envelope, id): Promise<SeriesPatch> => {
					const reading = await readMail(envelope, { evenIfLarge: true });
					const patch = patchMailOf(reading, '[PATCH] Change') ?? assert.fail(envelope);
					return { mail: standFor<SeriesPatch['mail']>({ id, reading }), patch, index: id + 1 };
				}),
			);
			const mail = async (id: number): Promise<{ readonly envelope: string }> => ({ envelope: envelopes[id] ?? '' });
			const connection = standFor<Connection>({ lists: { mail } });
			const mailbox = await seriesMailbox(connection, patches, { trailers: [], isMerging: true }, never);
			const parts = fake<ListsContext>({
				git: machine.git,
				tempFolder: machine.home,
				problems: quietProblems,
				clock: fakeClock(0),
			});
			const commit = machine.plain(root, 'rev-parse', 't0').trim();
			const inClone = await judgedInClone(parts, { root, commit }, mailbox, never);
			const alone = await judgedAlone(parts, mailbox, never);
			for (const judged of [
				inClone ?? assert.fail('git failed'),
				...(alone !== 'noBase' ? [alone ?? assert.fail('git failed')] : []),
			]) {
				const { stop, others, otherMessages } = judged;
				assert.deepEqual([stop, others, otherMessages], [undefined, [], []], mails.join(''));
			}
			seen.series += 1;
			seen.alone += alone !== 'noBase' ? 1 : 0;
			machine.remove();
		}
		keepProofTable('Series between random trees, judged by git', [
			['series', 'as shown in a clone', 'as shown without one', 'accused'],
			[seen.series, seen.series, seen.alone, 0],
		]);
		assert.ok(seen.alone > seen.series / 2, JSON.stringify(seen));
	});
});
