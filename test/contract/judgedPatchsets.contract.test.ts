import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fake } from '../support/fake.ts';
import type { Connection } from '../../src/store/connection.ts';
import type { ListsContext } from '../../src/features/lists/context/listsContext.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { protocolSuite, systemClock } from '../support/contractForge.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { quietProblems } from '../support/fakeTicketsParts.ts';
import { journalInMemory } from '../support/journalInMemory.ts';
import { testMachine } from '../support/localMachine.ts';
import { mailStores } from '../support/mailStores.ts';
import { testInRest } from '../support/parts.ts';
import { patchLists } from '../support/samplePatchsets.ts';

const { judgedAlone } = await import('../../src/features/patches/apply/judgedByGit.ts');
const { seriesMailbox } = await import('../../src/features/patches/apply/seriesMailbox.ts');

const never = new AbortController().signal;

protocolSuite('patchsets that git applies', {}, ({ forge, dialect }) => {
	testInRest('apply as shown, unless their diffs have problems', async function () {
		this.timeout(120_000);
		const machine = testMachine();
		const parts = fake<ListsContext>({
			git: machine.git,
			tempFolder: machine.home,
			problems: quietProblems,
			clock: systemClock,
		});
		const { lists: api, me } = forge().as('alice');
		const lists = new ListStore({ journal: journalInMemory(), api, me, followed: keptNames() });
		const { reviews } = mailStores({ lists, forge: forge().as('alice') });
		const [untried, stripped]: [number[], number[]] = [[], []];
		for (const list of patchLists) {
			for await (const page of api.patchsets(list, never)) {
				for (const { id } of page.items) {
					const { patches } = (await reviews.read({ list, id }, never)).series;
					const mailbox = await seriesMailbox(
						fake<Connection>({ lists }),
						patches,
						{ trailers: [], isMerging: true },
						never,
					);
					const judged = await judgedAlone(parts, mailbox, never);
					const { stop, others = [], otherMessages = [] } = judged && judged !== 'noBase' ? judged : {};
					assert.deepEqual([stop, others, otherMessages], [undefined, [], []], `${list.name} ${id}`);
					untried.push(...(judged !== 'noBase' ? [] : [id]));
					stripped.push(...(Array.from(mailbox.stripped.values()).some(Boolean) ? [id] : []));
				}
			}
		}
		machine.remove();
		assert.deepEqual(untried, [14, 13], 'one is flowed, and one has broken lines');
		assert.equal(stripped.length > 0, dialect === 'field');
	});
});
