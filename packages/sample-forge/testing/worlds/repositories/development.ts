import type { Random } from '../../../../../test/support/random.ts';
import type { Author } from './crew.ts';
import type { History, Line } from './history.ts';
import { stemOf, type Item } from './sourceText.ts';

/** A topic of development: a source file, its readable name, and typical bugs. */
export interface Subject {
	readonly name: string;
	readonly file: string;
	readonly troubles: readonly [string, ...string[]];
}

export interface Project {
	/** `~alice/lantern`. */
	readonly tracker: string;
	/** Tickets of the tracker that commits may name. */
	readonly tickets: number;
	readonly subjects: readonly [Subject, ...Subject[]];
	/** Sources that are texts: chapters, settings, translations. */
	readonly texts: readonly [string, ...string[]];
	/** Committer of other people's patches. */
	readonly keeper: Author;
	readonly commits: number;
	/** Versions, spread over the history. */
	readonly releases: readonly string[];
}

const verbs = [
	'open',
	'push',
	'drop',
	'measure',
	'clamp',
	'find',
	'count',
	'split',
	'join',
	'paint',
	'trim',
	'rewind',
	'follow',
	'mark',
	'swap',
	'align',
	'walk',
	'peek',
	'store',
	'flush',
	'expand',
] as const;

const remarks = [
	'The last row has no line end, so it counts as one more.',
	'Wide cells come in pairs; never stop between them.',
	'Cheaper than asking the terminal again.',
	'TODO: this walks the whole list, see whether anybody notices.',
	'Tabs were expanded by the caller.',
	'Order matters here: marks first, then text.',
	'Größe in Zellen, nicht in Bytes.',
	'行末の空白は数えない。',
] as const;

const reasons = [
	'Nobody asked for this on purpose, it was simply never tried on the last line.',
	'Found while looking for something else entirely.',
	'The old code trusted its caller; the caller trusted the old code.',
	'Measured on a file of 200,000 lines: from 41 ms to 3 ms.',
	'This keeps the behaviour for everybody who did not notice, and repairs it for\neverybody who did.',
	'There is a test now, so it stays repaired.',
	'An earlier attempt was reverted because it broke splits. This one does not touch\nthem.',
	'Thanks to everybody who sent a recording of their terminal.',
] as const;

/** A few items to begin a source file with. */
export function firstItems(random: Random, count: number): readonly Item[] {
	return verbs
		.slice(0, count)
		.map((name) => ({ name, limit: 16 * (1 + random.below(40)), guarded: random.chance(40), note: null }));
}

/** Lets a project live: fixes, features, texts, topic branches with merges, and releases. */
export function develop(history: History, line: Line, project: Project): void {
	const { random } = history;
	const every = Math.floor(project.commits / (project.releases.length + 1));
	let made = 0;
	const advance = (goal: number): void => {
		while (made < goal) {
			made += random.chance(7) ? workOnTopic(history, line, project) : workOnce(history, line, project);
		}
	};
	for (const release of project.releases) {
		advance(made + every);
		publish(history, line, project, release);
		made++;
	}
	advance(project.commits);
}

function workOnce(history: History, line: Line, project: Project, not?: Subject): number {
	const { random } = history;
	if (random.chance(22)) {
		writeText(history, line, project);
		return 1;
	}
	const subject = random.pick(project.subjects);
	if (subject !== not) {
		work(history, line, { project, subject });
		return 1;
	}
	return 0;
}

interface Job {
	readonly project: Project;
	readonly subject: Subject;
}

function work(history: History, line: Line, { project, subject }: Job): void {
	const { random } = history;
	const stem = stemOf(subject.file);
	const author = history.crew.any(random);
	const taken = author === project.keeper || random.chance(40) ? {} : { committer: project.keeper };
	const options = { ...taken, signed: random.chance(55) };
	const known = line.sources.get(subject.file)?.items ?? [];
	if (known.length < 14 && random.chance(35)) {
		const verb = freshVerb(random, known);
		history.edit(line, subject.file, (items) => [...items, newItem(random, verb)]);
		const header = subject.file.replace(/\.c$/, '.h');
		if (line.sources.has(header)) {
			history.edit(line, header, (items) => [...items, newItem(random, verb)]);
		}
		history.commit(line, author, message(history, project, `${stem}: add ${verb.replaceAll('_', ' ')}`), options);
		return;
	}
	history.edit(line, subject.file, (items) => repair(random, items));
	const trouble = `${subject.name} ${random.pick(subject.troubles)}`;
	const subjects = [`Fix: ${trouble}`, `${stem}: guard against the case where ${trouble}`] as const;
	history.commit(line, author, message(history, project, random.pick(subjects)), options);
}

function writeText(history: History, line: Line, project: Project): void {
	const { random } = history;
	const path = random.pick(project.texts);
	const known = line.sources.get(path)?.items ?? [];
	const adds = known.length < 12 && random.chance(40);
	const verb = freshVerb(random, known);
	history.edit(line, path, (items) => (adds ? [...items, newItem(random, verb)] : repair(random, items)));
	const said = adds
		? `describe ${verb.replaceAll('_', ' ')}`
		: random.pick(['clearer words', 'fix a typo', 'correct a limit']);
	history.commit(line, history.crew.any(random), `${stemOf(path)}: ${said}\n`, { signed: random.chance(50) });
}

/** A topic branch of a few commits, parallel to the main line, and its merge. Returns the number of commits. */
function workOnTopic(history: History, line: Line, project: Project): number {
	const { random } = history;
	const subject = random.pick(project.subjects);
	const topic = history.split(line);
	const steps = 2 + random.below(3);
	for (let step = 0; step < steps; step++) {
		work(history, topic, { project, subject });
	}
	const meanwhile = workOnce(history, line, project, subject) + workOnce(history, line, project, subject);
	const name = `topic/${stemOf(subject.file)}`;
	history.merge(line, topic, project.keeper, `Merge branch '${name}'\n\n${random.pick(reasons)}\n`);
	return steps + meanwhile + 1;
}

function publish(history: History, line: Line, project: Project, release: string): void {
	history.put(line, 'VERSION', `${release}\n`);
	const news = `Version ${release}\n${'='.repeat(8 + release.length)}\n\n- ${history.random.pick(reasons).replaceAll('\n', '\n  ')}\n`;
	history.put(line, `doc/news/${release}.txt`, news);
	const id = history.commit(line, project.keeper, `Release ${release}\n`);
	history.tag(`v${release}`, id, project.keeper, `${project.tracker} ${release}\n\n${news}`);
}

function message({ random }: History, project: Project, subject: string): string {
	const paragraph = random.chance(60) ? `\n${random.pick(reasons)}\n` : '';
	const number = 1 + random.below(project.tickets);
	const kind = subject.startsWith('Fix') ? 'Fixes' : 'References';
	const trailer = random.chance(35) ? `\n${kind}: ${project.tracker}#${number}\n` : '';
	return `${subject}\n${paragraph}${trailer}`;
}

function freshVerb(random: Random, known: readonly Item[]): string {
	const names = new Set(known.map(({ name }) => name));
	const free = verbs.filter((verb) => !names.has(verb));
	return free[random.below(free.length)] ?? `${random.pick(verbs)}_${names.size}`;
}

function newItem(random: Random, name: string): Item {
	const note = random.chance(30) ? random.pick(remarks) : null;
	return { name, limit: 8 * (1 + random.below(120)), guarded: random.chance(50), note };
}

/** Changes one thing about one item; drops one now and then. */
function repair(random: Random, items: readonly Item[]): readonly Item[] {
	const at = random.below(items.length);
	if (items.length > 6 && random.chance(8)) {
		return items.filter((_item, index) => index !== at);
	}
	const kind = random.below(3);
	return items.map((item, index) => {
		if (index !== at) {
			return item;
		}
		const limit = item.limit + 1 + random.below(9);
		return kind === 0
			? { ...item, limit, guarded: !item.guarded }
			: kind === 1
				? { ...item, limit }
				: { ...item, limit, note: random.pick(remarks) };
	});
}
