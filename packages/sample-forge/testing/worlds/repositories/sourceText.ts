/**
 * A source file of the sample projects in parts, so that a commit can change one thing and the diff looks like a
 * person's.
 */
export interface Source {
	readonly path: string;
	/** Topic for the file's first comment. */
	readonly about: string;
	readonly items: readonly Item[];
}

/** A function, a rule, a section or a setting, depending on the kind of file. */
export interface Item {
	readonly name: string;
	readonly limit: number;
	/** Validates the argument. */
	readonly guarded: boolean;
	/** A remark in the code. */
	readonly note: string | null;
}

/** The text of the file, by the ending of its path. */
export function renderSource(source: Source): string {
	const ending = source.path.slice(source.path.lastIndexOf('.') + 1);
	const render = renderers[ending] ?? renderMarkdown;
	return render(source);
}

/** `src/diffview.c` → `diffview`. */
export function stemOf(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]+$/, '');
}

const renderers: Readonly<Record<string, (source: Source) => string>> = {
	c: renderC,
	h: renderHeader,
	lua: renderLua,
	wick: renderGrammar,
	toml: renderSettings,
	po: renderMessages,
};

function renderC({ path, about, items }: Source): string {
	const stem = stemOf(path);
	const head = `/* ${about} */\n\n#include <stddef.h>\n#include <string.h>\n\n#include "${stem}.h"\n\n`;
	return head + items.map((item, at) => renderFunction(stem, item, at)).join('\n');
}

function renderFunction(stem: string, { name, limit, guarded, note }: Item, at: number): string {
	const guard = guarded ? '\tif (buf == NULL || buf->rows == 0) {\n\t\treturn -1;\n\t}\n' : '';
	const remark = note === null ? '' : `\t/* ${note} */\n`;
	const bodies = [
		`\tfor (int row = from; row < buf->rows && row < ${limit}; row++) {\n\t\tif (${stem}_matches(buf, row)) {\n\t\t\treturn row;\n\t\t}\n\t}\n\treturn -1;\n`,
		`\tint width = 0;\n\twhile (from < ${limit} && buf->line[from] != '\\0') {\n\t\twidth += cell_width(buf->line[from++]);\n\t}\n\treturn width;\n`,
		`\tif (from > ${limit}) {\n\t\tfrom = ${limit};\n\t}\n\tbuf->dirty |= buf->cursor != from;\n\tbuf->cursor = from;\n\treturn 0;\n`,
		`\tstruct mark *mark = mark_at(buf, from);\n\tif (mark == NULL && buf->marks < ${limit}) {\n\t\tmark = mark_add(buf, from);\n\t}\n\treturn mark == NULL ? -1 : mark->row;\n`,
	];
	const body = bodies[(at + name.length) % bodies.length] ?? '';
	return `int\n${stem}_${name}(struct buffer *buf, int from)\n{\n${guard}${remark}${body}}\n`;
}

function renderHeader({ path, about, items }: Source): string {
	const stem = stemOf(path);
	const guard = `${stem.toUpperCase()}_H`;
	const lines = items.map(({ name }) => `int ${stem}_${name}(struct buffer *buf, int from);\n`);
	return `/* ${about} */\n#ifndef ${guard}\n#define ${guard}\n\n#include "buffer.h"\n\n${lines.join('')}\n#endif\n`;
}

function renderLua({ path, about, items }: Source): string {
	const functions = items.map(({ name, limit, guarded, note }) => {
		const guard = guarded ? '\tif not view then\n\t\treturn nil\n\tend\n' : '';
		const remark = note === null ? '' : `\t-- ${note}\n`;
		return `function M.${name}(view)\n${guard}${remark}\treturn view:take(${limit}):map(M.paint)\nend\n`;
	});
	return `-- ${about}\n-- ${path}\nlocal M = {}\n\n${functions.join('\n')}\nreturn M\n`;
}

function renderGrammar({ about, items }: Source): string {
	const rules = items.map(({ name, limit, guarded, note }) => {
		const remark = note === null ? '' : `# ${note}\n`;
		return `${remark}rule ${name} {\n\tbegin "${name.slice(0, 1)}+"${guarded ? ' not-after "\\\\"' : ''}\n\tend   eol\n\tmost  ${limit}\n}\n`;
	});
	return `# ${about}\nversion 2\n\n${rules.join('\n')}`;
}

function renderSettings({ about, items }: Source): string {
	const rows = items.map(({ name, limit, guarded, note }) => {
		const remark = note === null ? '' : `# ${note}\n`;
		return `${remark}[${name}]\nenabled = ${guarded}\nlimit = ${limit}\n`;
	});
	return `# ${about}\n\n${rows.join('\n')}`;
}

function renderMessages({ about, items }: Source): string {
	const rows = items.map(({ name, limit, note }) => {
		const text = name.replaceAll('_', ' ');
		return `#: line ${limit}\nmsgid "cannot ${text}"\nmsgstr "${note ?? ''}"\n`;
	});
	return `# ${about}\n\n${rows.join('\n')}`;
}

function renderMarkdown({ about, items }: Source): string {
	const sections = items.map(({ name, limit, guarded, note }) => {
		const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ');
		const advice = guarded ? '\nNothing happens in read-only files.\n' : '';
		const remark = note === null ? '' : `\n> ${note}\n`;
		return `## ${title}\n\nPress \`:${name}\` and a number up to ${limit}; without one, the last is taken again.\n${advice}${remark}`;
	});
	return `# ${about}\n\n${sections.join('\n')}`;
}
