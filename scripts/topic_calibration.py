"""How likely the classifier of topics is right, by cross-validation over a pack's examples.

`python scripts/topic_calibration.py` prints, by regularization, the share of right labels, the
calibration error, and by threshold what is answered and refused rightly.  It looks at no evaluation
set; `chat/language/topics.py` takes its constants from here.
"""

from __future__ import annotations

import random

from whence.chat.language.classifier import Classifier
from whence.chat.language.topics import NONE, labelled_features
from whence.packs.leave.chat.offer import CHAT

FOLDS = 5
REGULARIZATIONS = (0.00003, 0.00001, 0.000003)
THRESHOLDS = (0.0, 0.25, 0.5, 0.6)
REFUSED = frozenset({NONE, "limits"})
"""Labels of what the pack does not answer."""


def main() -> None:
    """Print the table."""
    examples = labelled_features(CHAT)
    order = list(range(len(examples)))
    random.Random(1).shuffle(order)  # the folds, no secret
    for regularization in REGULARIZATIONS:
        judged: list[tuple[float, str, str]] = []
        for fold in range(FOLDS):
            left_out = set(order[fold::FOLDS])
            learned = [each for at, each in enumerate(examples) if at not in left_out]
            classifier = Classifier(learned, regularization)
            for at in sorted(left_out):
                shares = classifier.probabilities(examples[at][0])
                label = max(shares, key=lambda each: shares[each])
                judged.append((shares[label], label, examples[at][1]))
        _show(regularization, judged)


def _show(regularization: float, judged: list[tuple[float, str, str]]) -> None:
    right = sum(label == wanted for _, label, wanted in judged) / len(judged)
    error = 0.0
    for tenth in range(10):
        within = [each for each in judged if min(int(each[0] * 10), 9) == tenth]
        shares = sum(share for share, _, _ in within)
        error += abs(shares - sum(label == wanted for _, label, wanted in within)) / len(judged)
    print(f"regularization {regularization}: right {right:.3f}, calibration error {error:.3f}")
    covered = [each for each in judged if each[2] not in REFUSED]
    others = [each for each in judged if each[2] in REFUSED]
    for least in THRESHOLDS:
        answered = [each for each in judged if each[0] >= least and each[1] not in REFUSED]
        correct = sum(label == wanted for _, label, wanted in answered)
        refused = sum(share < least or label in REFUSED for share, label, _ in others)
        print(
            f"  from {least}: answered rightly {correct / len(covered):.3f}, refused rightly "
            f"{refused / len(others):.3f}, answers that are wrong {1 - correct / len(answered):.3f}"
        )


if __name__ == "__main__":
    main()
