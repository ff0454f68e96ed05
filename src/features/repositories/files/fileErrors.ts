import * as vscode from 'vscode';
import type { Problems } from '../../../editor/ask/problems.ts';
import { isForgeError } from '../../../forge/forgeError.ts';

/** Converts failures to file system errors; the editor shows their messages in places. */
export type FileErrors = (uri: vscode.Uri, error: unknown) => Error;

/** `tooLarge` is called once for each file over the editor's limit. */
export function fileErrors(problems: Problems, tooLarge: (uri: vscode.Uri, error: unknown) => void): FileErrors {
	const told = new Set<string>();

	/** The editor does not show our sentence in place of the file. Said once, because others may read files unasked. */
	function tellOnce(uri: vscode.Uri, error: unknown): void {
		if (!told.has(uri.toString())) {
			told.add(uri.toString());
			tooLarge(uri, error);
		}
	}

	return (uri, error) => {
		if (error instanceof vscode.FileSystemError) {
			return error;
		}
		if (!isForgeError(error)) {
			problems.log(error);
			return vscode.FileSystemError.Unavailable(problems.explain(error).message);
		}
		if (error.problem.kind === 'notFound') {
			// No log entry: editors probe for optional files, such as settings.
			return vscode.FileSystemError.FileNotFound(uri);
		}
		if (error.problem.kind === 'tooLarge') {
			tellOnce(uri, error);
		}
		problems.log(error);
		const { message } = problems.explain(error);
		switch (error.problem.kind) {
			case 'notSignedIn':
			case 'tokenRejected':
			case 'missingScope':
			case 'notAllowed':
				return vscode.FileSystemError.NoPermissions(message);
			case 'sessionUnreadable':
			case 'invalid':
			case 'notOffered':
			case 'rateLimited':
			case 'serverError':
			case 'unreachable':
			case 'tooLarge':
			case 'notUnderstood':
			case 'redirected':
			case 'incomplete':
				return vscode.FileSystemError.Unavailable(message);
		}
	};
}
