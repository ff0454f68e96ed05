import assert from 'node:assert/strict';
import { listKey, type ListRef } from 'sourcehut/port/list.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { repositoryChoices } from '../../../../src/store/wholeFiles/repositoryChoices.ts';
import { repositoryOfPatch, type PatchClues } from '../../../../src/store/wholeFiles/repositoryOfPatch.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';

const list: ListRef = { owner: '~alice', name: 'lantern-devel' };

function ref(text: string): RepositoryRef {
	const [owner = '', name = ''] = text.split('/');
	return { owner, name };
}

function told(clues: Partial<PatchClues>): string {
	const found = repositoryOfPatch({ list, prefix: undefined, chosen: undefined, clones: [], known: [], ...clues });
	const text = ({ owner, name }: RepositoryRef): string => `${owner}/${name}`;
	return found.kind === 'ask'
		? `ask ${found.likely.map(text).join(' ')}`.trim()
		: `${found.by} ${text(found.ref)}${found.isThere ? '' : '?'}`;
}

suite('repository of a patch', () => {
	test('is the user’s choice, before any other hint', () => {
		const clones = [{ ref: ref('~bob/quill'), list }];
		assert.equal(told({ chosen: ref('~alice/lantern'), clones, prefix: 'quill' }), 'choice ~alice/lantern');
	});

	test('is the clone that sends its patches to the list', () => {
		const other = { ref: ref('~alice/wick'), list: { owner: '~alice', name: 'wick-devel' } };
		const sender = { ref: ref('~bob/lantern-fork'), list: { ...list, name: 'Lantern-devel' } };
		assert.equal(told({ clones: [other, sender] }), 'clone ~bob/lantern-fork');
		assert.equal(told({ clones: [sender, sender] }), 'clone ~bob/lantern-fork');
	});

	test('follows the prefix among several such clones', () => {
		const clones = ['~alice/lantern', '~alice/wick'].map((each) => ({ ref: ref(each), list }));
		assert.equal(told({ clones, prefix: 'WICK' }), 'clone ~alice/wick');
		assert.equal(told({ clones, prefix: 'RFC wick/next' }), 'clone ~alice/wick');
		assert.equal(told({ clones }), 'ask ~alice/lantern ~alice/wick');
		assert.equal(told({ clones, prefix: 'quill' }), 'ask ~alice/lantern ~alice/wick');
	});

	test('is a known one with the name in the prefix, first that of the list owner', () => {
		const known = ['~bob/lantern', '~alice/lantern', '~carol/wick'].map(ref);
		assert.equal(told({ known, prefix: 'lantern' }), 'prefix ~alice/lantern');
		assert.equal(told({ known, prefix: 'wick' }), 'prefix ~carol/wick');
		assert.equal(told({ known: known.slice(0, 1), prefix: 'lantern' }), 'prefix ~bob/lantern');
		const two = ['~bob/wick', '~carol/wick'].map(ref);
		assert.equal(told({ known: two, prefix: 'wick' }), 'ask ~bob/wick ~carol/wick');
	});

	test('may be an unknown one of the list owner', () => {
		assert.equal(told({ prefix: 'lantern' }), 'prefix ~alice/lantern?');
		assert.equal(told({ prefix: 'RFC' }), 'ask');
		assert.equal(told({ prefix: 'two words' }), 'ask');
		assert.equal(told({ prefix: '../x' }), 'ask');
		assert.equal(told({ prefix: 'lantern', list: { owner: 'list@forge.test', name: 'x' } }), 'ask');
	});

	test('follows the list name without a prefix', () => {
		const known = ['~alice/lantern', '~alice/wick', '~bob/lantern'].map(ref);
		assert.equal(told({ known }), 'list name ~alice/lantern');
		assert.equal(
			told({ known, list: { owner: '~alice', name: 'devel' } }),
			'ask ~alice/lantern ~alice/wick ~bob/lantern',
		);
	});

	test('is unknown without hints', () => {
		assert.equal(told({}), 'ask');
	});
});

suite('repository choices', () => {
	const lantern = ref('~alice/lantern');
	const wick = ref('~alice/wick');

	test('apply per list and prefix, survive a restart, and can change', async () => {
		const place = keptInMemory();
		const choices = repositoryChoices(place);
		const heard: string[] = [];
		choices.onDidChange(({ name }) => heard.push(name));
		await choices.choose(list, 'Lantern', lantern);
		assert.deepEqual(choices.of({ ...list, name: 'LANTERN-devel' }, 'lantern'), lantern);
		assert.deepEqual(choices.of(list, undefined), lantern);
		assert.equal(choices.of(list, 'wick'), undefined);
		await choices.choose(list, 'wick', wick);
		assert.equal(choices.of(list, undefined), undefined);
		await choices.choose(list, 'lantern', wick);
		assert.deepEqual(repositoryChoices(place).of(list, 'lantern'), wick);
		await choices.choose(list, 'lantern', undefined);
		await choices.choose(list, 'wick', undefined);
		assert.equal(choices.of(list, 'wick'), undefined);
		assert.equal(place.read(), '{}');
		assert.equal(heard.length, 5);
	});

	test('may be "none" until another choice', async () => {
		const place = keptInMemory();
		await repositoryChoices(place).choose(list, 'lantern', 'none');
		assert.equal(repositoryChoices(place).of(list, 'lantern'), 'none');
		assert.equal(repositoryChoices(place).of(list, undefined), 'none');
		await repositoryChoices(place).choose(list, 'lantern', wick);
		assert.deepEqual(repositoryChoices(place).of(list, 'lantern'), wick);
	});

	test('are empty for a prefix such as "constructor"', () => {
		for (const prefix of ['constructor', '__proto__', 'toString', 'valueOf']) {
			assert.equal(repositoryChoices(keptInMemory()).of(list, prefix), undefined, prefix);
		}
	});

	test('ignore invalid stored data', () => {
		for (const text of ['', '[]', `{"${listKey(list)}":{"":{"owner":1}}}`, `{"${listKey(list)}":3}`]) {
			const place = keptInMemory();
			void place.write(text);
			assert.equal(repositoryChoices(place).of(list, undefined), undefined);
		}
	});

	test('keep the most recent of very many', async () => {
		const choices = repositoryChoices(keptInMemory());
		for (let at = 0; at < 60; at += 1) {
			await choices.choose(list, `p${at}`, wick);
		}
		assert.equal(choices.of(list, 'p0'), undefined);
		assert.deepEqual(choices.of(list, 'p59'), wick);
	});
});
