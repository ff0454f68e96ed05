import { libraryParts } from '../parts.ts';
import { modes } from '../../../src/git/gitObjects.ts';
import { develop, firstItems, type Project, type Subject } from './development.ts';
import type { History, Line } from './history.ts';

/** The syntax library, a submodule of the editor. Returns all commits of the main line, oldest first. */
export function tellWick(history: History): Line {
	const line = history.line();
	history.put(line, 'README.md', '# wick\n\nReads syntax, one keystroke at a time.\n');
	history.put(line, 'meson.build', "project('wick', 'c')\n\nsubdir('lib')\nsubdir('tools')\n");
	const texts = ['doc/format.md', 'doc/tutorial.md', 'grammars/theme.toml'] as const;
	return live(history, line, {
		tracker: '~bob/wick',
		tickets: 40,
		subjects: libraryParts,
		texts,
		keeper: history.crew.bob,
		commits: 170,
		releases: ['0.1', '0.2', '1.0', '1.1'],
	});
}

/** Plugins of the editor, a folder each. */
export function tellPlugins(history: History): Line {
	const line = history.line();
	history.put(line, 'README.md', '# Plugins for Lantern\n\nOne folder per plugin; copy what you like.\n');
	history.put(line, 'plugins/git-signs/README', 'init.lua', modes.symlink);
	const plugin = (name: string, ...troubles: Subject['troubles']): Subject => ({
		name: `the ${name} plugin`,
		file: `plugins/${name}/init.lua`,
		troubles,
	});
	return live(history, line, {
		tracker: '~alice/lantern-plugins',
		tickets: 60,
		subjects: [
			plugin('git-signs', 'marks lines of other files', 'waits for git on every key'),
			plugin('todo-list', 'counts done items twice', 'forgets its colour'),
			plugin('kanban board', 'draws over the status line', 'cannot be closed'),
			plugin('spell-de', 'does not know ß', 'flags every compound'),
			plugin('tea-timer', 'rings in the middle of a macro', 'drifts over lunch'),
		],
		texts: ['doc/writing a plugin.md', 'doc/events.md', 'plugins/tea-timer/settings.toml'],
		keeper: history.crew.alice,
		commits: 150,
		releases: ['2024.1', '2025.1', '2026.1'],
	});
}

/** The documentation; every commit changes text. */
export function tellDocs(history: History): Line {
	const line = history.line();
	const chapter = (name: string): Subject => ({
		name: `the chapter on ${name}`,
		file: `chapters/${name}.md`,
		troubles: ['shows the old names', 'has a dead link', 'skips a step'],
	});
	return live(history, line, {
		tracker: '~carol/lantern-docs',
		tickets: 30,
		subjects: [chapter('keys'), chapter('themes'), chapter('installing'), chapter('screen readers')],
		texts: ['chapters/glossary.md', 'chapters/日本語.md'],
		keeper: history.crew.carol,
		commits: 50,
		releases: [],
	});
}

/** A handful of commits of one person. */
export function tellSmall(history: History, who: 'alice' | 'bob', title: string): Line {
	const line = history.line();
	const author = history.crew[who];
	history.put(line, 'README.md', `# ${title}\n`);
	history.commit(line, author, `${title}\n`);
	for (const name of ['profile', 'editor', 'aliases', 'prompt', 'mail']) {
		history.put(line, `.config/${name}`, `# ${name}\nset -o ${name}\n`);
		history.commit(line, author, `Add ${name}\n`);
	}
	return line;
}

function live(history: History, line: Line, project: Project): Line {
	for (const { name: about, file: path } of project.subjects) {
		history.source(line, { path, about, items: firstItems(history.random, 4) });
	}
	for (const path of project.texts) {
		history.source(line, { path, about: path, items: firstItems(history.random, 3) });
	}
	history.commit(line, project.keeper, 'First light\n', { signed: false });
	develop(history, line, project);
	return line;
}
