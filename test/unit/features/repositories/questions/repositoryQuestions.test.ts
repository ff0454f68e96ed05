import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { keptNames } from '../../../../support/fakeConnection.ts';
import {
	fakeRepositories,
	fakeStore,
	makeRepository,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
} from '../../../../support/fakeRepositories.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { askRepository } = await import('../../../../../src/features/repositories/questions/repositoryQuestions.ts');

const never = new AbortController().signal;
const wick = makeRepository('wick', { owner: { canonicalName: '~bob', name: 'bob' } });

suite('repository picker', () => {
	setup(resetStub);

	test('accepts any other repository by name or URL, without following it', async () => {
		const fake = quillWorld();
		fake.world.repositories.push(makeRepository('pen'), wick);
		const followed = keptNames();
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake, { followed })));
		for (const typed of ['~bob/wick', 'https://git.forge.test/~bob/wick/tree/main']) {
			stubbed.answers.push('Another repository…', typed);
			const { ref } = await askRepository(connections, 'any', never);
			assert.deepEqual(ref, { owner: '~bob', name: 'wick' });
		}
		assert.deepEqual(followed.all(), []);
		stubbed.answers.push('Another repository…', '~bob/nothing');
		await assert.rejects(askRepository(connections, 'any', never), isForgeError);
		stubbed.answers.push('Another repository…', 'https://elsewhere.test/~bob/wick');
		await assert.rejects(askRepository(connections, 'any', never), isAbort);
		assert.match(stubbed.shown.join(), /Write ~owner\/name/);
	});

	test('accepts a name typed into the list, and starts the input with any other text', async () => {
		const fake = quillWorld();
		fake.world.repositories.push(makeRepository('pen'), wick);
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake)));
		for (const typed of [' ~bob/wick ', 'https://git.forge.test/~bob/wick/tree/main']) {
			stubbed.answers.push(`${typed}\tAnother repository…`);
			const { ref } = await askRepository(connections, 'any', never);
			assert.deepEqual(ref, { owner: '~bob', name: 'wick' });
		}
		assert.deepEqual([...new Set(stubbed.asked)], ['Choose a repository']);
		stubbed.answers.push('wick\tAnother repository…', '~bob/wick');
		await askRepository(connections, 'any', never);
		assert.equal(stubbed.asked.at(-1), 'Name of the repository');
		assert.deepEqual(stubbed.prefilled, ['wick']);
	});

	test('adds a row for a complete name, unless a row has it as its label', async () => {
		const fake = quillWorld();
		fake.world.repositories.push(makeRepository('wick-tools'), wick);
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake)));
		stubbed.answers.push('~bob/wick\t~bob/wick');
		const { ref } = await askRepository(connections, 'any', never);
		assert.deepEqual(ref, { owner: '~bob', name: 'wick' });
		for (const [typed, rows] of [
			['~alice/quill', 1],
			['quill', 0],
		] as const) {
			stubbed.answers.push(`${typed}\t~alice/quill`);
			await askRepository(connections, 'any', never);
			assert.equal(stubbed.offered.filter(({ label }) => label === typed).length, rows);
		}
		stubbed.answers.push('~alice/quil\t~alice/quill');
		await askRepository(connections, 'any', never);
		const { label, description } = stubbed.offered.at(-1) ?? assert.fail();
		assert.deepEqual([label, description], ['As typed', '~alice/quil'], 'below the row that begins so');
	});

	test('offers others beside the only repository when another may be meant', async () => {
		const fake = quillWorld();
		fake.world.repositories.push(wick);
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake)));
		assert.equal((await askRepository(connections, 'any', never)).ref.name, 'quill');
		assert.deepEqual(stubbed.asked, []);
		stubbed.answers.push('Another repository…', '~bob/wick');
		assert.deepEqual((await askRepository(connections, 'another', never)).ref, { owner: '~bob', name: 'wick' });
	});

	test('an unreachable account hides none of the others, and prevents an automatic choice', async () => {
		const [down, up] = [fakeRepositories(), fakeRepositories()];
		down.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'refused', host: 'x' });
		};
		up.world.repositories.push(makeRepository('pen'));
		const unasked = repositoryConnection(fakeStore(down));
		const connections = repositoryConnections(unasked, { ...repositoryConnection(fakeStore(up)), key: 'up' });
		stubbed.answers.push('~alice/pen');
		assert.equal((await askRepository(connections, 'any', never)).connectionKey, 'up');
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['~alice/pen', 'Another repository…', 'Try Again'],
		);
		await assert.rejects(askRepository(repositoryConnections(unasked), 'any', never), isForgeError);
	});

	test('offers all own repositories of all pages, also after a failed page', async () => {
		const fake = fakeRepositories();
		fake.world.pageSize = 3;
		fake.world.repositories.push(...Array.from({ length: 7 }, (_, at) => makeRepository(`tool${at}`, { id: at + 1 })));
		let failing = 2;
		fake.world.before = () => {
			failing -= 1;
			if (failing === 0) {
				throw new ForgeError({ kind: 'unreachable', reason: 'timeout', host: 'git.forge.test' });
			}
		};
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake)));
		stubbed.answers.push('Try Again', '~alice/tool6');
		assert.equal((await askRepository(connections, 'any', never)).ref.name, 'tool6');
		const names = [0, 1, 2, 3, 4, 5, 6].map((at) => `~alice/tool${at}`);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			[...names, 'Another repository…'],
		);
	});

	test('asks for the name immediately when the user owns and follows none', async () => {
		const fake = fakeRepositories();
		fake.world.repositories.push(wick);
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake)));
		stubbed.answers.push('~bob/wick');
		assert.deepEqual((await askRepository(connections, 'any', never)).ref, { owner: '~bob', name: 'wick' });
		assert.deepEqual(stubbed.asked, ['Name of the repository']);
	});

	test('offers the repositories of a typed owner, filtered by a word', async () => {
		const fake = quillWorld();
		const wickTools = makeRepository('wick-tools', { owner: { canonicalName: '~bob', name: 'bob' } });
		fake.world.repositories.push(wick, wickTools, makeRepository('pen'));
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake)));
		for (const [typed, offered] of [
			['~bob', ['wick', 'wick-tools']],
			['~bob TOOL', ['wick-tools']],
			['https://git.forge.test/~bob', ['wick', 'wick-tools']],
		] as const) {
			stubbed.answers.push('Another repository…', typed, 'wick-tools');
			const { ref } = await askRepository(connections, 'another', never);
			assert.deepEqual(ref, { owner: '~bob', name: 'wick-tools' });
			assert.equal(stubbed.asked.at(-1), 'Choose a repository of ~bob');
			assert.deepEqual(
				stubbed.offered.map(({ label }) => label),
				offered,
			);
		}
	});

	test('reports an owner without repositories, or a failure, and keeps the typed text', async () => {
		const fake = quillWorld();
		fake.world.repositories.push(wick);
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake)));
		stubbed.answers.push('Another repository…', '~bob lantern', '~carol', '~bob/wick');
		const { ref } = await askRepository(connections, 'another', never);
		assert.deepEqual(ref, { owner: '~bob', name: 'wick' });
		assert.deepEqual(stubbed.asked.slice(-2), [
			'No repository of ~bob that you may see has lantern in its name.',
			'~carol has no repository that you may see.',
		]);
		assert.deepEqual(stubbed.prefilled.slice(-2), ['~bob lantern', '~carol']);
		fake.world.before = (call) => {
			if (call.startsWith('repositories ')) {
				throw new ForgeError({ kind: 'unreachable', reason: 'refused', host: 'git.forge.test' });
			}
		};
		stubbed.answers.push('Another repository…', '~bob', '~bob/wick');
		await askRepository(connections, 'another', never);
		assert.match(stubbed.asked.at(-1) ?? '', /git\.forge\.test/);
		assert.equal(stubbed.prefilled.at(-1), '~bob');
	});
});
