/** What pages that show mails say beside the mails themselves, in the language of the editor. */
export interface MailStrings {
	/** With `{0}` for how many. */
	readonly quotedLines: string;
	readonly signature: string;
	/** With `{0}` for how many. */
	readonly charactersLeftOut: string;
	readonly openDocument: string;
	readonly attachments: string;
	readonly saveAttachment: string;
	readonly openAttachment: string;
	readonly oneFile: string;
	/** With `{0}` for how many. */
	readonly files: string;
	/** With `{0}` and `{1}` for how many, as it is read aloud. */
	readonly linesChanged: string;
	/** Where one line is added. */
	readonly oneLineAdded: string;
	readonly added: string;
	readonly deleted: string;
	readonly renamed: string;
	readonly copied: string;
	readonly binary: string;
	readonly openDiff: string;
	readonly showAsItCame: string;
	readonly readWhole: string;
	readonly caution: string;
	readonly to: string;
	readonly cc: string;
	/** With `{0}` for how many. */
	readonly andMore: string;
	readonly noAccount: string;
	readonly openPerson: string;
	readonly pull: string;
	readonly pullChanges: string;
	readonly copyFetchCommand: string;
	readonly fetchPull: string;
	readonly repository: string;
	readonly reference: string;
}
