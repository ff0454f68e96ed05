import assert from 'node:assert/strict';
import type { Operation } from '../../src/graphql/transport/operations.ts';
import type { Document } from '../../src/graphql/transport/document.ts';
import * as git from '../../src/graphql/git/gitDocuments.ts';
import { wanted } from '../../../../test/support/contractForge.ts';
import { seed } from '../../../../test/support/counts.ts';
import { graphqlServer } from '../../../../test/support/graphqlServer.ts';
import { openingsIn } from '../support/openings.ts';
import { randomFrom } from '../../../../test/support/randomFrom.ts';

/** Every git query that batches may contain. */
const questions: readonly Document[] = Object.values({ ...git }).flatMap(({ document }) =>
	document.isMutation ? [] : [document],
);

/** Sends these queries in one turn and returns the documents that left. */
async function sentFor(
	asked: readonly { readonly document: Document; readonly name: string }[],
): Promise<readonly (readonly string[])[][]> {
	const { caller, asked: sent } = graphqlServer(() => ({ data: {} }), { takesSeveral: true });
	const operation = (document: Document): Operation<unknown> => ({
		area: 'git',
		scope: 'data:read',
		document,
		read: (data) => data,
	});
	await Promise.all(
		asked.map(({ document, name }) => caller.ask(operation(document), { owner: 'alice', name }, wanted())),
	);
	return sent.map(({ query, variables }) => [...openingsIn(query, variables).values()]);
}

function check(sent: readonly (readonly string[])[][]): void {
	for (const repositoriesOfDocument of sent) {
		assert.ok(repositoriesOfDocument.every((fields) => fields.length <= 1));
		const all = repositoriesOfDocument.flat();
		assert.ok(!all.includes('HEAD') || all.length === 1, all.join(' '));
	}
}

suite('batched git documents', () => {
	test('open a repository at most once for any two queries of one turn', async () => {
		assert.ok(questions.length > 12);
		for (const first of questions) {
			for (const second of questions) {
				for (const names of [
					['lantern', 'lantern'],
					['lantern', 'Lantern'],
				] as const) {
					check(await sentFor([first, second].map((document, at) => ({ document, name: names[at] ?? '' }))));
				}
			}
		}
	});

	test('open each repository at most once, and HEAD alone, for any queries of one turn', async () => {
		const random = randomFrom(seed());
		const any = <T>(all: readonly T[]): T => {
			const found = all[Math.floor(random() * all.length)];
			assert.ok(found !== undefined);
			return found;
		};
		let joined = 0;
		for (let round = 0; round < 200; round += 1) {
			const asked = Array.from({ length: 2 + Math.floor(random() * 11) }, () => ({
				document: any(questions),
				name: any(['lantern', 'scratch', 'many']),
			}));
			const sent = await sentFor(asked);
			check(sent);
			joined += sent.some(({ length }) => length > 1) ? 1 : 0;
		}
		assert.ok(joined > 50, 'questions about different repositories still go together');
	});
});
