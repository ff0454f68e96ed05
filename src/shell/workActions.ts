import * as vscode from 'vscode';
import { problemOrigin } from '../editor/ask/problemOrigin.ts';

/** Markers in comments. Only a quick test; the desk parses the line. */
const marker = /\b(?:TODO|FIXME|XXX|HACK)\b/;

/** Our own documents need no tickets. */
const ours = new Set([
	'forge-new',
	'forge-description',
	'forge-mail',
	'forge-reply',
	'forge-suggestion',
	'forge-review',
	'forge-versions',
	'forge-series',
	'output',
	'search-editor',
]);

/** Quick fixes "New Ticket from This Problem…" and "…from this comment…". Tests one line and loads nothing. */
export function workActions(): vscode.CodeActionProvider {
	return {
		provideCodeActions(document, { start, end }, { diagnostics }) {
			const { uri, lineCount } = document;
			if (ours.has(uri.scheme) || start.line >= lineCount) {
				return [];
			}
			const { line } = start;
			const [problem] = diagnostics;
			const isTodo = line === end.line && marker.test(document.lineAt(line).text);
			return [
				...(problem
					? [
							action(
								vscode.l10n.t('New Ticket from This Problem…'),
								uri,
								problem.range.start.line,
								aboutProblem(problem),
							),
						]
					: []),
				...(isTodo ? [action(vscode.l10n.t('New Ticket from This Comment…'), uri, line, {})] : []),
			];
		},
	};
}

/** Message and source of a diagnostic. */
interface AboutProblem {
	readonly problem?: string;
	readonly origin?: string;
}

function aboutProblem(problem: vscode.Diagnostic): AboutProblem {
	const origin = problemOrigin(problem);
	return { problem: problem.message, ...(origin === undefined ? {} : { origin }) };
}

function action(title: string, uri: vscode.Uri, line: number, about: AboutProblem): vscode.CodeAction {
	const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	const subject = { kind: 'here', uri: uri.toString(), line, ...about };
	made.command = { title, command: 'forge.tickets.newFromHere', arguments: [subject] };
	return made;
}
