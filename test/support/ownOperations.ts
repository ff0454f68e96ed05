import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestMachine } from './localMachine.ts';

/** Operations that wait for the user after a conflict in `b`, and what git calls each; begun on a clean branch `main`. */
export const ownOperations: Readonly<Record<string, readonly [string, string]>> = {
	merge: ['merge', 'git merge -q other'],
	'merge without a difference': ['merge', 'git merge -q --no-commit -s ours other'],
	'merge --squash': ['conflicts', 'git merge -q --squash other'],
	'cherry-pick': ['cherry-pick', 'git cherry-pick other'],
	'cherry-pick of several': [
		'cherry-pick',
		'git cherry-pick other other~1; git checkout -q -f; git update-ref -d CHERRY_PICK_HEAD',
	],
	'cherry-pick -n': ['conflicts', 'git cherry-pick -n other'],
	revert: ['revert', 'git revert --no-edit HEAD~1'],
	rebase: ['rebase', 'git rebase -q other'],
	'rebase --apply': ['rebase', 'git rebase -q --apply other'],
	bisect: ['bisect', 'git bisect start -q HEAD HEAD~2'],
	'stash pop': ['conflicts', 'git stash pop -q'],
	'checkout -m': ['conflicts', 'echo mine >b; git checkout -q -m other'],
	'apply --3way': ['conflicts', 'git diff other~1 other >../own.diff; git apply -3 ../own.diff'],
	am: ['am', 'git format-patch -q --stdout -1 other >../own.mail; git am -q -3 ../own.mail'],
	'am with our options': [
		'am',
		'git format-patch -q --stdout -1 other >../own.mail; git am -q -3 --whitespace=nowarn ../own.mail',
	],
};

/** Moves of the checkout during a stop on `main` beside a branch `other`, and the way back. */
export const moves: Readonly<Record<string, readonly [string, string]>> = {
	'another branch at the same commit': ['git checkout -qf -b new', 'git checkout -qf main; git branch -q -D new'],
	'another branch': ['git checkout -qf other', 'git checkout -qf main'],
	'no branch': ['git checkout -qf --detach', 'git checkout -qf main'],
	'a branch with another name': ['git branch -m main trunk', 'git branch -m trunk main'],
	'a name with a bracket': ['git checkout -qf -b "]main"', 'git checkout -qf main'],
	'a later commit': ['git commit -q --allow-empty -m Own', 'git reset -q --hard HEAD~1'],
	'an amended commit': ['git reset -q; git commit -q --amend -m Own', 'git reset -q --hard "HEAD@{1}"'],
	'an earlier commit': ['git reset -q --soft HEAD~1', 'git reset -q --hard "HEAD@{1}"'],
	'a branch that another worktree moves': [
		'git update-ref refs/heads/main other',
		'git update-ref refs/heads/main "main@{1}"',
	],
};

/** A branch `other` and a stash that conflict in `b` with two later commits of `main`. */
export function makeOther(machine: TestMachine, root: string): void {
	machine.script(
		root,
		`git checkout -q -b other
		echo more >more; git add more; git commit -qm More
		echo theirs >b; git commit -qam Other
		git checkout -q main
		echo stashed >b; git stash -q
		echo ours >b; git commit -qam Ours
		echo later >b; git commit -qam Later`,
	);
}

/** Begins an operation, and resolves its conflict. `isStaged`: as far as git allows. */
export function begin(machine: TestMachine, root: string, script: string, isStaged: boolean): void {
	machine.script(root, `{ ${script}; } >/dev/null 2>&1 || true`);
	writeFileSync(join(root, 'b'), 'my resolution\n');
	if (isStaged) {
		machine.plain(root, 'add', 'b');
	}
}

/** All that git and the user have of an operation: files, index, commits, and files of git's folder. */
export function everythingOf(machine: TestMachine, root: string): unknown {
	const files = readdirSync(root, { withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name !== '.git')
		.map(({ name }) => [name, readFileSync(join(root, name), 'latin1')]);
	const told = machine.script(
		root,
		`git ls-files --stage; git ls-files --resolve-undo; git rev-parse HEAD; git symbolic-ref -q HEAD || true
		cd "$(git rev-parse --git-dir)"
		for file in *_HEAD BISECT_* rebase-merge/* rebase-apply/* sequencer/*; do
			[ -f "$file" ] && [ $file != ORIG_HEAD ] && echo "$file $(cksum <"$file")"
		done; true`,
	);
	return [files, told];
}
