/** The parts of Codex's own protocol we use, by name, with the fields of each request and its answer. */
export type UsedProtocol = {
  /** Our requests, with the parameters we send. */
  readonly requests: Readonly<Record<string, readonly string[]>>;
  /** Notifications we read, with the fields we use. */
  readonly notifications: Readonly<Record<string, readonly string[]>>;
  /** Codex's requests to us, with the fields we read. */
  readonly questions: Readonly<Record<string, readonly string[]>>;
  /** Types of items we show. */
  readonly items: readonly string[];
};

export const usedProtocol: UsedProtocol = {
  requests: {
    initialize: ['clientInfo', 'capabilities'],
    'account/read': [],
    'account/login/start': [],
    'model/list': ['limit'],
    'skills/list': ['cwds'],
    'thread/start': ['cwd', 'approvalPolicy', 'approvalsReviewer', 'sandbox'],
    'thread/resume': ['threadId', 'cwd', 'approvalPolicy', 'approvalsReviewer', 'sandbox', 'excludeTurns'],
    'thread/fork': ['threadId', 'lastTurnId', 'cwd', 'approvalPolicy', 'approvalsReviewer', 'sandbox', 'excludeTurns'],
    'thread/revert': ['threadId', 'beforeTurnId'],
    'thread/list': ['cwd', 'limit', 'sourceKinds', 'modelProviders', 'cursor'],
    'thread/read': ['threadId'],
    'thread/turns/list': ['threadId', 'limit', 'sortDirection', 'itemsView', 'cursor'],
    'thread/name/set': ['threadId', 'name'],
    'thread/compact/start': ['threadId'],
    'thread/settings/update': ['threadId', 'approvalPolicy', 'approvalsReviewer', 'sandboxPolicy'],
    'review/start': ['threadId', 'target'],
    'turn/start': [
      'threadId',
      'clientUserMessageId',
      'input',
      'approvalPolicy',
      'approvalsReviewer',
      'sandboxPolicy',
      'model',
      'effort',
      'collaborationMode',
    ],
    'turn/steer': ['threadId', 'expectedTurnId', 'clientUserMessageId', 'input'],
    'turn/interrupt': ['threadId', 'turnId'],
  },
  notifications: {
    'turn/started': ['turn'],
    'turn/completed': ['turn'],
    'item/started': ['item', 'turnId'],
    'item/completed': ['item', 'turnId'],
    'item/agentMessage/delta': ['itemId', 'delta'],
    'item/reasoning/summaryTextDelta': ['itemId', 'delta'],
    'item/reasoning/summaryPartAdded': ['itemId'],
    'item/plan/delta': ['itemId', 'delta'],
    'item/commandExecution/outputDelta': ['itemId', 'delta'],
    'item/fileChange/patchUpdated': ['itemId', 'changes'],
    'turn/plan/updated': ['plan'],
    'turn/diff/updated': ['diff'],
    'thread/tokenUsage/updated': ['tokenUsage'],
    'account/rateLimits/updated': ['rateLimits'],
    'thread/name/updated': ['threadName'],
    'mcpServer/startupStatus/updated': ['name', 'status', 'error'],
    error: ['error', 'willRetry'],
    'serverRequest/resolved': ['requestId'],
  },
  questions: {
    'item/commandExecution/requestApproval': ['itemId', 'command', 'cwd', 'reason', 'availableDecisions'],
    'item/fileChange/requestApproval': ['itemId', 'reason'],
    'item/permissions/requestApproval': ['itemId', 'permissions', 'reason'],
    'item/tool/requestUserInput': ['itemId', 'questions'],
    'mcpServer/elicitation/request': ['serverName'],
  },
  items: [
    'userMessage',
    'agentMessage',
    'reasoning',
    'plan',
    'commandExecution',
    'fileChange',
    'mcpToolCall',
    'dynamicToolCall',
    'collabAgentToolCall',
    'webSearch',
    'imageView',
    'imageGeneration',
    'enteredReviewMode',
    'exitedReviewMode',
    'contextCompaction',
  ],
};
