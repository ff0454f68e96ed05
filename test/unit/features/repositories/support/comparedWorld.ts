import type * as vscode from 'vscode';
import type { Commit } from 'sourcehut/port/repository.ts';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { OpenClones } from '../../../../../src/features/repositories/parts/openClones.ts';
import type { RepositoryStore } from '../../../../../src/store/repositories/repositoryStore.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import {
	fakeRepositories,
	fakeStore,
	makeCommit,
	makeRepository,
	quill,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { commands, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';
import { fake as partial } from '../../../../support/fake.ts';

/** A repository whose history has every kind of change. */
export interface ComparedWorld {
	readonly fake: FakeRepositories;
	readonly parts: RepositoriesContext;
	readonly store: RepositoryStore;
	/** The root commit. */
	readonly first: Commit;
	/** Changes `README.md`, moves `old.txt` to `new/name.txt`, deletes `gone.txt`, adds `added.txt`. On `main`. */
	readonly second: Commit;
	/** On `feature/x`, a sibling of `second`: adds `feature.txt`. */
	readonly feature: Commit;
	/** Merge of `second` and `feature`, on `merged`. */
	readonly merge: Commit;
}

/** No clone is open in this window. */
export const noClones: OpenClones = {
	of: () => Promise.resolve(undefined),
	at: () => Promise.resolve(undefined),
};

const base = { 'README.md': 'one\n', src: { 'main.c': 'int main;\n' } };

export function comparedWorld(): ComparedWorld {
	const fake = fakeRepositories();
	const { world } = fake;
	world.repositories.push(makeRepository('quill'));
	world.heads.set('~alice/quill', 'main');
	const [changed, moved] = [{ 'README.md': 'two\n' }, 'stays the same\n'];
	const first = world.commit(quill, 'main', world.grow({ ...base, 'old.txt': moved, 'gone.txt': 'gone\n' }));
	world.logs.set('~alice/quill feature/x', [first]);
	const after = { ...base, ...changed, 'added.txt': 'added\n', new: { 'name.txt': moved } };
	const second = world.commit(quill, 'main', world.grow(after));
	const besides = { ...base, 'old.txt': moved, 'gone.txt': 'gone\n', 'feature.txt': 'feature\n' };
	const feature = world.commit(quill, 'feature/x', world.grow(besides));
	const tree = world.grow({ ...after, 'feature.txt': 'feature\n' });
	const merge = makeCommit(900, { tree, parents: [second.id, feature.id], message: 'Merge feature\n' });
	world.logs.set('~alice/quill merged', [merge, second, feature, first]);
	for (const [name, { id }] of Object.entries({ main: second, 'feature/x': feature, merged: merge })) {
		world.references.set('~alice/quill', [
			...(world.references.get('~alice/quill') ?? []),
			{ name: `refs/heads/${name}`, target: id },
		]);
	}
	const store = fakeStore(fake);
	const parts = partial<RepositoriesContext>({
		connections: repositoryConnections(repositoryConnection(store)),
		ready: () => Promise.resolve(),
		problems: quietProblems,
		pages: partial<PageHost>({ inFront: () => undefined }),
		clock: fakeClock(Date.UTC(2026, 10, 20)),
	});
	return { fake, parts, store, first, second, feature, merge };
}

/** A command that the editor ran; its arguments have URIs as text. */
export interface Opened {
	readonly command: string;
	readonly passed: readonly unknown[];
}

/** Records open commands until disposed. */
export function watchOpened(): { readonly opened: Opened[]; dispose(): void } {
	const opened: Opened[] = [];
	const before = commands.executeCommand.bind(commands);
	commands.executeCommand = async (command, ...passed) => {
		if (command.startsWith('vscode.')) {
			opened.push({ command, passed: passed.map(asText) });
		}
		await before(command, ...passed);
	};
	return {
		opened,
		dispose: () => {
			commands.executeCommand = before;
		},
	};
}

function asText(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(asText);
	}
	if (!isUri(value)) {
		return value;
	}
	if (value.scheme !== 'forge') {
		return `${value.scheme}://${value.path}`;
	}
	const path = value.path.replace(/^\/~alice\/quill[@/]/, '');
	return value.query === '' ? path : `${path}?${value.query}`;
}

function isUri(value: unknown): value is vscode.Uri {
	return typeof value === 'object' && value !== null && 'scheme' in value;
}

/** Waits some turns of the event loop for a condition, else fails. */
export async function until(isSo: () => boolean, what: () => string): Promise<void> {
	for (let turn = 0; turn < 2000; turn += 1) {
		if (isSo()) {
			return;
		}
		await new Promise((resolve) => setImmediate(resolve));
	}
	throw new Error(`Waited in vain: ${what()}`);
}

/** The `count`th quick pick, after it shows a matching row. */
export async function boxWith(fits: (label: string) => boolean, count = 1): Promise<StubbedBox> {
	const box = (): StubbedBox | undefined => stubbed.boxes[count - 1];
	await until(
		() => box()?.items.some(({ label }) => fits(label)) === true,
		() => JSON.stringify(stubbed.boxes.map(({ items }) => items.map(({ label }) => label))),
	);
	const found = box();
	if (!found) {
		throw new Error('The box is gone');
	}
	return found;
}
